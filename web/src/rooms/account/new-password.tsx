import { useTexts } from '../../i18n/texts';
import { PasswordField } from '../../ui/password-field';
import { accountTexts } from './account.texts';

/** Asks for a password to be; the API's rule is told before it is broken. */
export function NewPassword() {
  const say = useTexts(accountTexts);
  return (
    <PasswordField
      name="newPassword"
      label={say('newPassword')}
      description={say('newPasswordHint')}
      autoComplete="new-password"
      minLength={8}
      maxLength={64}
      required
    />
  );
}
