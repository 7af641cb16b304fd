import { defineTexts } from '../../i18n/texts';

export const secondStepTexts = defineTexts('second-step', {
  totpLead: 'Your account has a second factor. Type the code that your authenticator app shows.',
  recoveryLead: 'Type one of your recovery codes. Each is good once.',
  passkeyLead: 'Your account has a second factor. Use your passkey.',
  code: 'Code of the app',
  recoveryCode: 'Recovery code',
  goOn: 'Continue',
  usePasskey: 'Use a passkey',
  useApp: 'Use the authenticator app',
  useRecovery: 'Use a recovery code',
  back: 'Back to the log-in form',
  byPasskey: 'Log in with a passkey',
  passkeyFailed: 'The passkey was not used. Try again, or choose another way.',
});
