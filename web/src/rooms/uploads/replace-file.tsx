import { Button, FileButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconReplace } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { useBytes } from '../../ui/format';
import { Loading, Problem } from '../../ui/problems';
import { refusalOf } from './kinds';
import { useUpload, type Upload } from './queries';
import { transfers } from './transfers';
import { uploadsTexts } from './uploads.texts';

interface ReplaceFileProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRefused: (refusal: string) => void;
}

/** Another file for an upload that is there already; what the item is called and where it belongs stays. */
export function ReplaceFile({ id, onClose, onRefused }: ReplaceFileProps) {
  const say = useTexts(uploadsTexts);
  const bytes = useBytes();
  const ask = useConfirm();
  const { oid } = useOrg();
  const query = useUpload(oid, id);
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  const upload: Upload = query.data;
  const name = upload.name || id;
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return;
    const refusal = await refusalOf(file);
    if (refusal) {
      onRefused(say(refusal, { file: file.name }));
      return;
    }
    const sizes = { file: file.name, size: bytes(file.size), before: bytes(upload.fileSize) };
    const isAgreed = await ask({
      title: say('replaceTitle', { name }),
      text: say('replaceConfirm', { name, ...sizes }),
      action: say('replaceAction'),
      isDestructive: true,
    });
    if (!isAgreed) return;
    transfers.add(oid, file, {
      name,
      description: upload.description ?? '',
      tags: upload.tags ?? [],
      collections: upload.collectionIds ?? [],
      replaceId: id,
    });
    onClose();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={say('replaceTitle', { name })}>
      <Stack gap="sm">
        <Title order={2}>{say('replaceTitle', { name })}</Title>
        <Text size="sm">{say('replaceText')}</Text>
        <Group>
          <FileButton onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} leftSection={<IconReplace size={16} aria-hidden />}>
                {say('replaceChoose')}
              </Button>
            )}
          </FileButton>
          <Button variant="default" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
