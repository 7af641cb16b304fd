import { api, client } from '../../api/client';
import { KeyList } from '../../ui/keys/key-list';
import { ALL_SCOPES, ORG_SCOPES } from '../../ui/keys/keys';

/** Keys that open all orgs of whoever is logged in. */
export function MyKeys({ isSuperuser }: { readonly isSuperuser: boolean }) {
  const query = api.useQuery('get', '/api/users/me/api-keys');
  return (
    <KeyList
      ring={{
        kind: 'own',
        query,
        scopes: isSuperuser ? ALL_SCOPES : ORG_SCOPES,
        make: async (body) => (await client.POST('/api/users/me/api-keys', { body })).data,
        revoke: (keyId) => client.DELETE('/api/users/me/api-keys/{keyId}', { params: { path: { keyId } } }),
      }}
    />
  );
}
