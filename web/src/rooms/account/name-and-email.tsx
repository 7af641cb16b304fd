import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconMailQuestion } from '@tabler/icons-react';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { PasswordField } from '../../ui/password-field';
import { notifyDone } from '../../ui/problems';
import { accountTexts } from './account.texts';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

export function NameAndEmail({ me }: { readonly me: Schemas['UserOut'] }) {
  const say = useTexts(accountTexts);
  const [isMoving, setMoves] = useState(false);
  const { error, isBusy, onSubmit } = useSubmit(async (typed) => {
    const [name, email] = [typed['name']?.trim(), typed['email']?.trim()];
    const password = typed['password'];
    const change = { ...(name !== me.name ? { name } : {}), ...(email !== me.email ? { email, password } : {}) };
    if (Object.keys(change).length > 0) await client.PATCH('/api/users/me', { body: change });
    await queryClient.invalidateQueries({ queryKey: ['get', '/api/users/me'] });
    notifyDone(say('saved'));
  });
  return (
    <Stack gap="md">
      {!me.is_verified && <NotVerified email={me.email} />}
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput name="name" label={say('yourName')} autoComplete="name" defaultValue={me.name} required />
          <TextInput
            name="email"
            type="email"
            label={say('email')}
            description={say('emailHint')}
            autoComplete="email"
            defaultValue={me.email}
            onChange={(event) => setMoves(event.currentTarget.value.trim() !== me.email)}
            required
          />
          {isMoving && (
            <PasswordField name="password" label={say('emailProof')} autoComplete="current-password" required />
          )}
          {me.is_verified && (
            <Badge variant="light" color="green" tt="none" fw={500} leftSection={<IconCheck size={12} aria-hidden />}>
              {say('isVerified')}
            </Badge>
          )}
          <ProblemLine error={error} />
          <Group>
            <Button type="submit" loading={isBusy}>
              {say('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Stack>
  );
}

/** Tells that the address is nobody's yet, as far as the service knows, and sends the mail once more. */
function NotVerified({ email }: { readonly email: string }) {
  const say = useTexts(accountTexts);
  const { error, isBusy, onSubmit } = useSubmit(async () => {
    await client.POST('/api/auth/request-verify-token', { body: { email } });
    notifyDone(say('mailSent', { email }));
  });
  return (
    <Alert color="yellow" variant="light" icon={<IconMailQuestion aria-hidden />} title={say('isNotVerified')}>
      <form onSubmit={onSubmit}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{say('notVerifiedText', { email })}</Text>
          <ProblemLine error={error} />
          <Button type="submit" size="xs" variant="default" loading={isBusy}>
            {say('sendAgain')}
          </Button>
        </Stack>
      </form>
    </Alert>
  );
}
