import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { session } from '../../session/session';
import { CardPage } from '../../ui/card-page';
import { accountTexts } from './account.texts';
import { EndCard } from './end-card';
import { NewPassword } from './new-password';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

/** The login that the service made for itself; the terminal that started it shows it as a link. */
function loginOfLink(): { email: string; password: string } {
  const fragment = new URLSearchParams(location.hash.slice(1));
  return { email: fragment.get('email') ?? '', password: fragment.get('password') ?? '' };
}

/** The first page of a new service: whoever started it chooses the password, and is in. */
export function SetupPage() {
  const say = useTexts(accountTexts);
  const navigate = useNavigate();
  const [{ email, password }] = useState(loginOfLink);
  const { error, isBusy, onSubmit } = useSubmit(async ({ newPassword = '' }) => {
    await session.logIn(email, password);
    await client.PUT('/api/users/me/password-change', { body: { email, password, newPassword, refuseCommon: true } });
    await session.logIn(email, newPassword);
    await navigate({ to: '/', replace: true });
  });
  const logIn = { to: '/login', label: say('logIn') };
  if (!email || !password) return <EndCard title={say('setupNoLink')} text={say('setupNoLinkText')} next={logIn} />;
  if (error instanceof ApiProblem && error.code === 'login_bad_credentials')
    return <EndCard title={say('setupUsed')} text={say('setupUsedText')} next={logIn} />;
  return (
    <CardPage title={say('setupTitle')} lead={say('setupText', { email })}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          {/* Tells password managers whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <NewPassword />
          <ProblemLine error={error} />
          <Button type="submit" loading={isBusy}>
            {say('setupBegin')}
          </Button>
        </Stack>
      </form>
    </CardPage>
  );
}
