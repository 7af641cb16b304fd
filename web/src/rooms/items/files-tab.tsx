import { Anchor, Badge, Code, CopyButton, Group, Stack, Table, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDownload } from '@tabler/icons-react';
import type { Schemas } from '../../api/client';
import { useTexts, type Say } from '../../i18n/texts';
import { ExportCsv } from '../../ui/export-csv';
import { Bytes, Count } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { uiTexts } from '../../ui/ui.texts';
import classes from './facts.module.css';
import { itemsTexts } from './items.texts';
import type { ItemRecord } from './queries';

type File = Schemas['CrawlFileOut'];

/** The stored files: digests to compare with copies elsewhere, how many copies the stores hold, and each for download. */
export function FilesTab({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const files = item.resources ?? [];
  if (files.length === 0) return <Empty title={say('noFilesTitle')}>{say('noFiles')}</Empty>;
  return (
    <>
      <Table.ScrollContainer minWidth={560}>
        <Table aria-label={say('files')} verticalSpacing="xs" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{say('file')}</Table.Th>
              <Table.Th ta="end">{say('size')}</Table.Th>
              <Table.Th>{say('digest')}</Table.Th>
              <Table.Th ta="end">{say('copies')}</Table.Th>
              <Table.Th>{say('check')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map((file) => (
              <FileRow key={`${file.crawlId ?? ''}${file.name}`} file={file} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ExportCsv
        label={say('files')}
        columns={[
          { title: say('file'), csv: (file) => file.originalFilename ?? file.name },
          { title: say('size'), csv: (file) => file.size },
          { title: say('digest'), csv: (file) => file.hash },
          { title: say('copies'), csv: (file) => (file.numReplicas ?? 0) + 1 },
          { title: say('check'), csv: (file) => checkWord(file, say) },
        ]}
        rows={() => files}
      />
    </>
  );
}

/** What the last comparison with the record said; nothing where there was none. */
function checkWord({ verification }: File, say: Say<keyof typeof itemsTexts.english>): string {
  if (!verification || verification.intact === null) return '';
  return [say(verification.intact ? 'intact' : 'notIntact'), ...verification.problems].join('; ');
}

function FileRow({ file }: { readonly file: File }) {
  const say = useTexts(itemsTexts);
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={0}>
          <Anchor href={file.path} download={file.originalFilename ?? file.name} size="sm" dir="auto">
            <Group component="span" gap={6} wrap="nowrap">
              <IconDownload size={14} aria-hidden />
              <span style={{ overflowWrap: 'anywhere' }}>{file.originalFilename ?? file.name}</span>
            </Group>
          </Anchor>
          {file.fromDependency && (
            <Text size="xs" c="dimmed">
              {say('fromDependency', { id: file.crawlId ?? '' })}
            </Text>
          )}
        </Stack>
      </Table.Td>
      <Table.Td ta="end">
        <Bytes value={file.size} />
      </Table.Td>
      <Table.Td>
        <Digest value={file.hash} />
      </Table.Td>
      <Table.Td ta="end">
        <Count value={(file.numReplicas ?? 0) + 1} />
      </Table.Td>
      <Table.Td>
        <Verified file={file} />
      </Table.Td>
    </Table.Tr>
  );
}

function Digest({ value }: { readonly value: string }) {
  const say = useTexts(uiTexts);
  const bare = value.replace(/^sha256:/, '');
  return (
    <CopyButton value={bare}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? say('copied') : bare} multiline maw={320} style={{ overflowWrap: 'anywhere' }}>
          <UnstyledButton onClick={copy} aria-label={`${say('copy')} ${bare}`}>
            <Code className={classes.digest}>{bare}</Code>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}

function Verified({ file: { verification } }: { readonly file: File }) {
  const say = useTexts(itemsTexts);
  if (!verification || verification.intact === null)
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  const { intact, problems } = verification;
  const Icon = intact ? IconCheck : IconAlertTriangle;
  const badge = (
    <Badge
      variant="light"
      color={intact ? 'green' : 'red'}
      tt="none"
      fw={500}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {say(intact ? 'intact' : 'notIntact')}
    </Badge>
  );
  if (problems.length === 0) return badge;
  return (
    <Stack gap={2} align="flex-start">
      {badge}
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {problems.join('; ')}
      </Text>
    </Stack>
  );
}
