import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { sentenceOf } from '../../ui/problems';
import { session } from '../session';
import type { SecondStepChallenge } from './challenge';
import { isDismissed, provePasskey } from './passkeys';
import { secondStepTexts } from './second-step.texts';

type Way = 'passkey' | 'totp' | 'recovery';

interface Props {
  readonly challenge: SecondStepChallenge;
  readonly onDone: () => void;
  readonly onBack: () => void;
}

/** Asks for what is missing to a log-in. Apart from the form for passwords, because few accounts have a second factor. */
export default function SecondStepForm({ challenge, onDone, onBack }: Props) {
  const say = useTexts(secondStepTexts);
  const ways = (['passkey', 'totp', 'recovery'] as const).filter((way) => challenge.methods.includes(way));
  const [way, setWay] = useState<Way>(ways[0] ?? 'recovery');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const prove = async (proof: () => Promise<Partial<Schemas['SecondStepIn']>>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const body = { code: null, passkey: null, challenge: challenge.challenge, ...(await proof()) };
      const { data } = await client.POST('/api/auth/jwt/second-step', { body });
      if (data) await session.take(data, challenge.provider);
      if (challenge.returnTo) location.replace(challenge.returnTo);
      else onDone();
    } catch (error) {
      setProblem(isDismissed(error) ? say('passkeyFailed') : sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code'));
    void prove(() => Promise.resolve({ code }));
  };
  const choose = (next: Way): void => {
    setWay(next);
    setProblem(null);
  };
  return (
    <Stack gap="sm">
      <Text size="sm">{say(`${way}Lead`)}</Text>
      {problem !== null && (
        <Alert color="red" variant="light" role="alert" p="xs">
          {problem}
        </Alert>
      )}
      {way === 'passkey' ? (
        <Button
          leftSection={<IconFingerprint size={18} aria-hidden />}
          loading={isBusy}
          onClick={() => void prove(async () => ({ passkey: await provePasskey(challenge.passkey ?? {}) }))}
        >
          {say('usePasskey')}
        </Button>
      ) : (
        <form onSubmit={submit} key={way}>
          <Stack gap="sm">
            <TextInput
              name="code"
              label={say(way === 'totp' ? 'code' : 'recoveryCode')}
              autoComplete="one-time-code"
              inputMode={way === 'totp' ? 'numeric' : 'text'}
              autoFocus
              required
            />
            <Button type="submit" loading={isBusy}>
              {say('goOn')}
            </Button>
          </Stack>
        </form>
      )}
      {ways
        .filter((other) => other !== way)
        .map((other) => (
          <Button key={other} variant="subtle" size="compact-sm" onClick={() => choose(other)}>
            {say(other === 'passkey' ? 'usePasskey' : other === 'totp' ? 'useApp' : 'useRecovery')}
          </Button>
        ))}
      <Button variant="subtle" size="compact-sm" color="gray" onClick={onBack}>
        {say('back')}
      </Button>
    </Stack>
  );
}
