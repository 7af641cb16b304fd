import { Anchor, Button, Stack } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { CardPage } from '../../ui/card-page';
import { accountTexts } from './account.texts';
import { EndCard } from './end-card';
import { NewPassword } from './new-password';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

/** Where the link of a mail leads to whoever forgot the password, or was locked out. */
export function ResetPage() {
  const say = useTexts(accountTexts);
  const { token = '' } = useSearch({ from: '/reset-password' });
  const [isDone, setDone] = useState(false);
  const { error, isBusy, onSubmit } = useSubmit(async ({ newPassword = '' }) => {
    await client.POST('/api/auth/reset-password', { body: { token, password: newPassword, refuseCommon: true } });
    setDone(true);
  });
  if (isDone) {
    const next = { to: '/login', label: say('logIn') };
    return <EndCard title={say('resetDone')} text={say('resetDoneText')} next={next} />;
  }
  const isStale = error instanceof ApiProblem && error.code === 'reset_password_bad_token';
  return (
    <CardPage title={say('resetTitle')} lead={say('resetText')}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <NewPassword />
          <ProblemLine error={error} />
          {isStale && (
            <Anchor component={Link} to="/forgot-password" size="sm">
              {say('askAgain')}
            </Anchor>
          )}
          <Button type="submit" loading={isBusy}>
            {say('changePassword')}
          </Button>
        </Stack>
      </form>
    </CardPage>
  );
}
