import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { client } from '../../api/client';
import { session } from '../session';

/** What the browser made of the options, as the API takes it. */
type Made = Record<string, unknown>;

/** The challenge of the API is good for five minutes. */
const ASK_AGAIN_MS = 4 * 60_000;

/** The person closed the browser's question, or another one took its place: nothing went wrong. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof Error && ['AbortError', 'NotAllowedError'].includes(error.name);

/** Has the browser answer a challenge by a passkey. */
export const provePasskey = async (options: Record<string, unknown>): Promise<Made> => ({
  ...(await startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON })),
});

/** Has the browser make a passkey. */
export const makePasskey = async (options: Record<string, unknown>): Promise<Made> => ({
  ...(await startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON })),
});

/** Logs in by a passkey that the browser finds. @throws ApiProblem, and what the browser throws */
export async function logInByPasskey(isAutofill = false): Promise<void> {
  const { data } = await client.POST('/api/auth/passkey/options');
  if (!data) return;
  const optionsJSON = data.options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const made = await startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill });
  const body = { challenge: data.challenge, passkey: { ...made } };
  const { data: answer } = await client.POST('/api/auth/passkey/login', { body });
  if (answer) await session.take(answer);
}

/** Lets the browser offer passkeys in the field for the address, until the page is left. @returns ends it */
export function offerPasskeys(onDone: () => void): () => void {
  let isOver = false;
  const offer = async (): Promise<void> => {
    if (!(await browserSupportsWebAuthnAutofill())) return;
    const again = setTimeout(() => WebAuthnAbortService.cancelCeremony(), ASK_AGAIN_MS);
    try {
      if (isOver) return;
      await logInByPasskey(true);
      isOver = true;
      onDone();
    } catch {
      // The form is there as well; whoever wants a passkey and fails presses its button, which tells why.
    } finally {
      clearTimeout(again);
    }
  };
  const go = async (): Promise<void> => {
    const began = Date.now();
    await offer();
    // What ended sooner was refused, or another question took its place.
    if (!isOver && Date.now() - began >= ASK_AGAIN_MS) await go();
  };
  void go();
  return () => {
    isOver = true;
    WebAuthnAbortService.cancelCeremony();
  };
}
