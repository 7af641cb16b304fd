import { Alert, Stack } from '@mantine/core';
import { useTexts } from '../i18n/texts';
import { useOrgRecord } from '../session/me';
import { shellTexts } from './shell.texts';

/** What keeps the org from crawling or storing, above every page. */
export function OrgNotices() {
  const say = useTexts(shellTexts);
  const org = useOrgRecord();
  if (!org) return null;
  const notices = [
    org.readOnly && (org.readOnlyReason ? say('readOnly', { reason: org.readOnlyReason }) : say('readOnlyNoReason')),
    org.storageQuotaReached && say('storageFull'),
    org.execMinutesQuotaReached && say('minutesUsed'),
  ].filter((text) => typeof text === 'string');
  if (notices.length === 0) return null;
  return (
    <Stack gap="xs" mb="md">
      {notices.map((text) => (
        <Alert key={text} color="yellow" variant="light" p="xs">
          {text}
        </Alert>
      ))}
    </Stack>
  );
}
