import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { CardPage } from '../../ui/card-page';
import { accountTexts } from './account.texts';
import { EndCard } from './end-card';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

export function ForgotPage() {
  const say = useTexts(accountTexts);
  const [sentTo, setSentTo] = useState('');
  const { error, isBusy, onSubmit } = useSubmit(async ({ email = '' }) => {
    await client.POST('/api/auth/forgot-password', { body: { email } });
    setSentTo(email);
  });
  if (sentTo) {
    const next = { to: '/login', label: say('backToLogIn') };
    return <EndCard title={say('forgotDone')} text={say('forgotDoneText', { email: sentTo })} next={next} />;
  }
  return (
    <CardPage title={say('forgotTitle')} lead={say('forgotText')}>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput name="email" type="email" label={say('email')} autoComplete="username" required autoFocus />
          <ProblemLine error={error} />
          <Button type="submit" loading={isBusy}>
            {say('sendLink')}
          </Button>
          <Anchor component={Link} to="/login" size="sm">
            {say('backToLogIn')}
          </Anchor>
        </Stack>
      </form>
    </CardPage>
  );
}
