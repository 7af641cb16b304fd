import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { client } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { CardPage } from '../../ui/card-page';
import { Loading, sentenceOf } from '../../ui/problems';
import { accountTexts } from './account.texts';
import { EndCard } from './end-card';

/** Where the link of a mail leads that asks whether the address is somebody's. */
export function VerifyPage() {
  const say = useTexts(accountTexts);
  const { token = '' } = useSearch({ from: '/verify' });
  // The link works once, so its answer is kept and never asked for again.
  const { error, isPending } = useQuery({
    queryKey: ['verify', token],
    queryFn: async () => {
      await client.POST('/api/auth/verify', { body: { token } });
      void queryClient.invalidateQueries({ queryKey: ['get', '/api/users/me'] });
      return true;
    },
    retry: false,
    staleTime: Infinity,
  });
  if (isPending)
    return (
      <CardPage title={say('verifying')}>
        <Loading />
      </CardPage>
    );
  if (error) return <EndCard title={say('notVerified')} text={sentenceOf(error)} />;
  return <EndCard title={say('verified')} text={say('verifiedText')} />;
}
