import { Button, Group, Stack } from '@mantine/core';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { PasswordField } from '../../ui/password-field';
import { notifyDone } from '../../ui/problems';
import { accountTexts } from './account.texts';
import { NewPassword } from './new-password';
import { ProblemLine } from './problem-line';
import { useSubmit } from './use-submit';

export function MyPassword({ email }: { readonly email: string }) {
  const say = useTexts(accountTexts);
  const { error, isBusy, onSubmit } = useSubmit(async ({ password = '', newPassword = '' }, form) => {
    await client.PUT('/api/users/me/password-change', { body: { email, password, newPassword, refuseCommon: true } });
    form.reset();
    notifyDone(say('passwordChanged'));
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {/* Tells password managers whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField name="password" label={say('currentPassword')} autoComplete="current-password" required />
        <NewPassword />
        <ProblemLine error={error} />
        <Group>
          <Button type="submit" loading={isBusy}>
            {say('changePassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
