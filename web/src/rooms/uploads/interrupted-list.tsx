import { Button, FileButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { useBytes, When } from '../../ui/format';
import { discard, isBegun, type Interrupted } from './interrupted';

import { uploadsTexts } from './uploads.texts';

interface InterruptedListProps {
  readonly uploads: readonly Interrupted[];
  readonly onFile: (file: File, upload: Interrupted) => void;
  readonly onOtherFile: (file: File) => void;
}

/** Uploads that a closed browser left behind. A browser gives a page no file by itself: the person chooses it again. */
export function InterruptedList({ uploads, onFile, onOtherFile }: InterruptedListProps) {
  const say = useTexts(uploadsTexts);
  const bytes = useBytes();
  const ask = useConfirm();
  const { oid } = useOrg();
  const queryClient = useQueryClient();
  if (uploads.length === 0) return null;
  const choose = async (file: File | null, upload: Interrupted): Promise<void> => {
    if (!file) return;
    if (await isBegun(oid, file, upload.replaceId)) onFile(file, upload);
    else onOtherFile(file);
  };
  const drop = async (upload: Interrupted): Promise<void> => {
    const text = say('discardText', { name: upload.filename });
    const question = { title: say('discardTitle'), text, action: say('discardAction'), isDestructive: true };
    if (!(await ask(question))) return;
    await discard(upload);
    await queryClient.invalidateQueries({ queryKey: ['interrupted', oid] });
  };
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <div>
          <Title order={2}>{say('interrupted')}</Title>
          <Text size="sm" c="dimmed">
            {say('interruptedText')}
          </Text>
        </div>
        {uploads.map((upload) => (
          <Group key={upload.key} justify="space-between">
            <div>
              <Text size="sm" fw={500} dir="auto">
                {upload.filename}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {say('sent', { sent: bytes(upload.sent), size: bytes(upload.size) })} · <When at={upload.since} />
              </Text>
            </div>
            <Group gap="xs">
              <FileButton onChange={(file) => void choose(file, upload)}>
                {(props) => (
                  <Button {...props} size="compact-sm" variant="light">
                    {say('chooseAgain')}
                  </Button>
                )}
              </FileButton>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={say('discard', { name: upload.filename })}
                onClick={() => void drop(upload)}
              >
                {say('discardAction')}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
