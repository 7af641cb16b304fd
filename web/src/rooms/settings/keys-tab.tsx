import { api, client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { KeyList } from '../../ui/keys/key-list';
import { ORG_SCOPES } from '../../ui/keys/keys';
import { Section } from '../../ui/section';
import { ServiceAccounts } from './service-accounts/service-accounts';
import { usePath } from './queries';
import { settingsTexts } from './settings.texts';

/** Keys that open this org alone, and programs that work in it. */
export function KeysTab() {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const query = api.useQuery('get', '/api/orgs/{oid}/api-keys', { params });
  return (
    <>
      <Section title={say('tab_keys')}>
        <KeyList
          ring={{
            kind: 'org',
            oid: params.path.oid,
            query,
            scopes: ORG_SCOPES,
            make: async (body) => (await client.POST('/api/orgs/{oid}/api-keys', { params, body })).data,
            revoke: (keyId) =>
              client.DELETE('/api/orgs/{oid}/api-keys/{keyId}', { params: { path: { ...params.path, keyId } } }),
          }}
        />
      </Section>
      <ServiceAccounts />
    </>
  );
}
