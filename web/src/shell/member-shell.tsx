import { Modal, Stack, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts';
import { LogInForm } from '../session/log-in-form';
import { LogInPage } from '../session/log-in-page';
import { useMe } from '../session/me';
import { useSession } from '../session/session';
import { Loading } from '../ui/problems';
import { shellTexts } from './shell.texts';

/** Pages for those who are logged in. When the login ends, they log in above the page, which keeps what was typed. */
export function MemberShell() {
  const { state } = useSession();
  const me = useMe();
  if (state === 'none') return <LogInPage />;
  return (
    <>
      {me || state === 'expired' ? <Outlet /> : <Loading />}
      {state === 'expired' && <LogInAgain />}
    </>
  );
}

function LogInAgain() {
  const say = useTexts(shellTexts);
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} closeOnClickOutside={false} title={say('expired')}>
      <Stack>
        <Text size="sm">{say('expiredText')}</Text>
        <LogInForm />
      </Stack>
    </Modal>
  );
}
