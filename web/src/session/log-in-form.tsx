import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { lazy, Suspense, useEffect, useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { api } from '../api/client';
import { ApiProblem } from '../api/problem';
import { useTexts, type Say } from '../i18n/texts';
import { PasswordField } from '../ui/password-field';
import { sentenceOf } from '../ui/problems';
import { challengeOf, takeChallenge, type SecondStepChallenge } from './second-step/challenge';
import { session } from './session';
import { sessionTexts } from './session.texts';

type Word = keyof typeof sessionTexts.english;

const SignInChoices = lazy(() => import('./sign-in/sign-in-choices'));
const SecondStepForm = lazy(() => import('./second-step/second-step-form'));
const PasskeyLogIn = lazy(() => import('./second-step/passkey-log-in'));

interface LogInProps {
  readonly email?: string;
  readonly onDone?: () => void;
}

/** Lets people log in. The page that it stands in goes on by itself once there is a login. */
export function LogInForm(props: LogInProps) {
  const { data: choices } = api.useQuery('get', '/api/auth/oidc', {}, { staleTime: Infinity });
  const [refused] = useState(() => new URLSearchParams(location.search).get('refused'));
  const [isAsked, setAsked] = useState(false);
  const [challenge, setChallenge] = useState<SecondStepChallenge | null>(takeChallenge);
  const isFormShown = isAsked || !choices || choices.passwordLogin === 'on';
  const done = (): void => props.onDone?.();
  if (challenge)
    return (
      <Suspense>
        <SecondStepForm challenge={challenge} onDone={done} onBack={() => setChallenge(null)} />
      </Suspense>
    );
  return (
    <Stack gap="sm">
      {choices && (choices.providers.length > 0 || refused !== null) && (
        <Suspense>
          <SignInChoices {...{ choices, refused, isFormShown }} onShowForm={() => setAsked(true)} />
        </Suspense>
      )}
      {isFormShown && <PasswordForm {...props} onChallenge={setChallenge} />}
      {isFormShown && choices?.passkeysAt === location.origin && (
        <Suspense>
          <PasskeyLogIn onDone={done} />
        </Suspense>
      )}
    </Stack>
  );
}

interface PasswordFormProps extends LogInProps {
  readonly onChallenge: (challenge: SecondStepChallenge) => void;
}

function PasswordForm({ email = '', onDone, onChallenge }: PasswordFormProps) {
  const say = useTexts(sessionTexts);
  const [problem, setProblem] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      await session.logIn(String(data.get('email')).trim(), String(data.get('password')));
      onDone?.();
    } catch (error) {
      const challenge = challengeOf(error);
      if (challenge) onChallenge(challenge);
      else setProblem(error);
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
          autoComplete="username webauthn"
          defaultValue={email}
          required
        />
        <PasswordField name="password" label={say('password')} autoComplete="current-password" required />
        {problem !== null && (
          <Alert color="red" variant="light" role="alert" p="xs">
            <ProblemText error={problem} />
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>
          {say('logIn')}
        </Button>
      </Stack>
    </form>
  );
}

function ProblemText({ error }: { readonly error: unknown }) {
  const say = useTexts(sessionTexts);
  const isLocked = error instanceof ApiProblem && error.status === 429 && error.retryAfter !== null;
  return isLocked ? <Locked seconds={error.retryAfter ?? 0} /> : problemOf(error, say);
}

const MINUTE_MS = 60_000;

/** Counts down to the moment from which the password is looked at again; in minutes, since each change is read out. */
function Locked({ seconds }: { readonly seconds: number }) {
  const say = useTexts(sessionTexts);
  const intl = useIntl();
  const whole = Math.ceil((seconds * 1000) / MINUTE_MS);
  const [minutes, setMinutes] = useState(whole);
  useEffect(() => {
    setMinutes(whole);
    const timer = setInterval(() => setMinutes((left) => Math.max(0, left - 1)), MINUTE_MS);
    return () => clearInterval(timer);
  }, [whole]);
  return say('locked', {
    wait: intl.formatNumber(minutes, { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
  });
}

function problemOf(error: unknown, say: Say<Word>): string {
  if (!(error instanceof ApiProblem)) return sentenceOf(error);
  if (error.status === 400) return say('wrong');
  if (error.status === 429) return say('lockedLong');
  return sentenceOf(error);
}
