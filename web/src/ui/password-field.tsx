import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTexts } from '../i18n/texts';
import { uiTexts } from './ui.texts';

/** A password, which can be looked at while it is typed. */
export function PasswordField(props: PasswordInputProps) {
  const say = useTexts(uiTexts);
  return <PasswordInput {...props} visibilityToggleButtonProps={{ 'aria-label': say('lookAtPassword') }} />;
}
