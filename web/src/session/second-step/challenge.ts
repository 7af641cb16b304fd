import { ApiProblem } from '../../api/problem';

/** A log-in whose password was right, or a sign-in at a provider, to which a second step is missing. */
export interface SecondStepChallenge {
  readonly challenge: string;
  readonly methods: readonly string[];
  /** Options of WebAuthn; null: there is no passkey. */
  readonly passkey: Record<string, unknown> | null;
  /** Where somebody goes on who came from a provider, and its id. */
  readonly returnTo?: string;
  readonly provider?: string;
}

/** Written by `src/sign-in/finish.js`. */
const KEY = 'muniment.second-step';

/** @returns the challenge in an answer of the API; null for any other problem */
export const challengeOf = (error: unknown): SecondStepChallenge | null =>
  error instanceof ApiProblem && error.code === 'second_factor_required'
    ? (error.more as unknown as SecondStepChallenge)
    : null;

/** The challenge that a sign-in at a provider has left, once. */
export function takeChallenge(): SecondStepChallenge | null {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return text === null ? null : (JSON.parse(text) as SecondStepChallenge);
}
