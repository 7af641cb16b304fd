import { Button, Stack, Text } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { LogInForm } from '../../session/log-in-form';
import { useMe } from '../../session/me';
import { session, useSession } from '../../session/session';
import { CardPage } from '../../ui/card-page';
import { Loading, Problem } from '../../ui/problems';
import { accountTexts } from './account.texts';
import { EndCard } from './end-card';
import { useInviteText } from './invite-text';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

/** Where an invite's link leads somebody who has an account. */
export function AcceptPage() {
  const say = useTexts(accountTexts);
  const { state } = useSession();
  const { email } = useSearch({ from: '/invite/accept/$token' });
  if (state === 'in') return <Invite />;
  return (
    <CardPage title={say('acceptTitle')} lead={say('acceptLogIn')}>
      <LogInForm email={email} />
    </CardPage>
  );
}

function Invite() {
  const say = useTexts(accountTexts);
  const me = useMe();
  const inviteText = useInviteText();
  const { token } = useParams({ from: '/invite/accept/$token' });
  const params = { path: { token } };
  const options = { retry: false, staleTime: Infinity };
  const { data: invite, error: refusal } = api.useQuery('get', '/api/users/me/invite/{token}', { params }, options);
  const [joined, setJoined] = useState<{ name: string; slug: string } | null>(null);
  const { error, isBusy, onSubmit } = useSubmit(async () => {
    const { data } = await client.POST('/api/orgs/invite-accept/{token}', { params });
    await queryClient.invalidateQueries({ queryKey: ['get', '/api/users/me'] });
    setJoined((data as { org: { name: string; slug: string } }).org);
  });
  if (joined) {
    const next = { to: `/o/${joined.slug}`, label: say('openOrg', { org: joined.name }) };
    return <EndCard title={say('welcome', { org: joined.name })} text={say('welcomeText')} next={next} />;
  }
  const other = (
    <>
      {me && (
        <Text size="sm" c="dimmed">
          {say('loggedInAs', { email: me.email })}
        </Text>
      )}
      <Button variant="default" onClick={() => session.logOut()}>
        {say('otherAccount')}
      </Button>
    </>
  );
  if (refusal)
    return (
      <CardPage title={say('noInvite')}>
        <Problem error={refusal} />
        {other}
      </CardPage>
    );
  if (!invite) return <Loading />;
  return (
    <CardPage title={say('acceptTitle')} lead={inviteText(invite)}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <ProblemLine error={error} />
          <Button type="submit" loading={isBusy}>
            {say('accept')}
          </Button>
        </Stack>
      </form>
      {other}
    </CardPage>
  );
}
