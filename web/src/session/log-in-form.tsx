import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { ApiProblem } from '../api/problem';
import { useTexts, type Say } from '../i18n/texts';
import { sentenceOf } from '../ui/problems';
import { session } from './session';
import { sessionTexts } from './session.texts';

type Word = keyof typeof sessionTexts.english;

/** Asks for email and password. The page that it stands in goes on by itself once there is a login. */
export function LogInForm({ email = '', onDone }: { readonly email?: string; readonly onDone?: () => void }) {
  const say = useTexts(sessionTexts);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setProblem('');
    try {
      await session.logIn(String(data.get('email')).trim(), String(data.get('password')));
      onDone?.();
    } catch (error) {
      setProblem(problemOf(error, say));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          name="email"
          type="email"
          label={say('email')}
          autoComplete="username"
          defaultValue={email}
          required
        />
        <PasswordInput name="password" label={say('password')} autoComplete="current-password" required />
        {problem && (
          <Alert color="red" variant="light" role="alert" p="xs">
            {problem}
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>
          {say('logIn')}
        </Button>
      </Stack>
    </form>
  );
}

function problemOf(error: unknown, say: Say<Word>): string {
  if (!(error instanceof ApiProblem)) return sentenceOf(error);
  if (error.status === 400) return say('wrong');
  if (error.status === 429) return say('lockedLong');
  return sentenceOf(error);
}
