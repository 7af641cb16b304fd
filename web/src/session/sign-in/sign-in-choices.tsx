import { Alert, Button, Divider, Stack } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { signInTexts } from './sign-in.texts';

/** Why a sign-in was refused, by the API's codes (`src/sign-in/sign-in.errors.ts`). */
const REFUSALS: Readonly<Record<string, keyof typeof signInTexts.english>> = {
  sign_in_expired: 'expired',
  sign_in_not_proven: 'notProven',
  sign_in_denied: 'denied',
  sign_in_provider_away: 'away',
  sign_in_no_account: 'noAccount',
  sign_in_address_unverified: 'unverified',
  sign_in_address_taken: 'taken',
  sign_in_second_factor_needed: 'factorNeeded',
};

/** The page on which somebody is, to which they come back. */
const here = (): string => {
  const { pathname, search } = location;
  return pathname === '/login' ? '/' : pathname + search;
};

interface Props {
  readonly choices: Schemas['SignInChoicesOut'];
  readonly refused: string | null;
  readonly isFormShown: boolean;
  readonly onShowForm: () => void;
}

/** The providers as buttons, above the form; apart from it, because most deployments have none. */
export default function SignInChoices({ choices, refused, isFormShown, onShowForm }: Props) {
  const say = useTexts(signInTexts);
  const { providers, passwordLogin } = choices;
  return (
    <Stack gap="sm">
      {refused !== null && (
        <Alert color="red" variant="light" role="alert" p="xs">
          {say(REFUSALS[refused] ?? 'failed')}
        </Alert>
      )}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          variant="default"
          href={`/api/auth/oidc/${encodeURIComponent(id)}/start?${new URLSearchParams({ returnTo: here() }).toString()}`}
        >
          {say('with', { name })}
        </Button>
      ))}
      {isFormShown && providers.length > 0 && <Divider label={say('or')} />}
      {!isFormShown && passwordLogin !== 'off' && (
        <Button variant="subtle" size="compact-sm" onClick={onShowForm}>
          {say('password')}
        </Button>
      )}
    </Stack>
  );
}
