import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useTexts } from '../i18n/texts';
import { uiTexts } from './ui.texts';

/** What the API answers to an invite; people without an account get `new_user`. */
interface Invited {
  readonly invited?: string | null;
  readonly token?: string | null;
}

/** The link that the mail of an invite has. */
export const inviteAddress = ({ invited, token }: Invited, email: string): string =>
  `${location.origin}${invited === 'new_user' ? '/join/' : '/invite/accept/'}${token ?? ''}?email=${encodeURIComponent(email)}`;

interface InviteLinkProps {
  readonly text: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** The link that was mailed, for services that send no mail. */
export function InviteLink({ text, link, onClose }: InviteLinkProps) {
  const say = useTexts(uiTexts);
  return (
    <Stack>
      <Text size="sm">{text}</Text>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {link}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {say(copied ? 'copied' : 'copyLink')}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{say('ready')}</Button>
      </Group>
    </Stack>
  );
}
