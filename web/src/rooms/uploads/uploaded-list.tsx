import { ActionIcon, Anchor, Autocomplete, Group, Stack, Text } from '@mantine/core';
import { IconReplace, IconSearch, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { DataList, type Column } from '../../ui/data-list';
import { Bytes, Count, When } from '../../ui/format';
import { Empty, notifyProblem } from '../../ui/problems';
import { isActive, StateBadge } from '../../ui/state-badge';
import { ORDER, PAGE_SIZE, useUploadNames, useUploads, type Upload } from './queries';
import type { UploadsSearch } from './uploads-search';
import { uploadsTexts } from './uploads.texts';

const route = getRouteApi('/member/o/$slug/uploads');

const titleOf = (upload: Upload): string => upload.name ?? upload.id;

/** Uploads that have arrived, those that are still read among them. */
export function UploadedList() {
  const say = useTexts(uploadsTexts);
  const { oid } = useOrg();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useUploads(oid, search);
  const change = (next: UploadsSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <DataList
      label={say('uploaded')}
      columns={useColumns()}
      query={query}
      idOf={({ id }) => id}
      nameOf={titleOf}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={ORDER}
      filters={<NameFilter key={search.name} name={search.name} onName={(name) => change({ name, page: 1 })} />}
      isFiltered={search.name !== undefined}
      onClearFilters={() => change({ name: undefined, page: 1 })}
      empty={<Empty title={say('empty')}>{say('emptyText')}</Empty>}
    />
  );
}

interface NameFilterProps {
  readonly name: string | undefined;
  readonly onName: (name: string | undefined) => void;
}
function NameFilter({ name, onName }: NameFilterProps) {
  const say = useTexts(uploadsTexts);
  const { oid } = useOrg();
  const { data } = useUploadNames(oid);
  const [typed, setTyped] = useState(name ?? '');
  const submit = (value: string): void => onName(value.trim() || undefined);
  return (
    <Autocomplete
      maw={340}
      aria-label={say('searchName')}
      placeholder={say('searchName')}
      leftSection={<IconSearch size={16} aria-hidden />}
      data={[...new Set(data?.names ?? [])]}
      limit={20}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={submit}
      onKeyDown={(event) => event.key === 'Enter' && submit(typed)}
      onBlur={() => typed === '' && name !== undefined && onName(undefined)}
    />
  );
}

function useColumns(): readonly Column<Upload>[] {
  const say = useTexts(uploadsTexts);
  const { canCrawl } = useOrg();
  const columns: Column<Upload>[] = [
    { id: 'name', title: say('name'), width: '40%', cell: (row) => <NameCell upload={row} />, csv: titleOf },
    { id: 'state', title: say('state'), cell: ({ state }) => <StateBadge state={state} />, csv: ({ state }) => state },
    {
      id: 'pages',
      title: say('pages'),
      from: 'md',
      align: 'end',
      cell: ({ pageCount }) => <Count value={pageCount} />,
      csv: ({ pageCount }) => pageCount,
    },
    {
      id: 'size',
      title: say('size'),
      sortBy: 'fileSize',
      from: 'sm',
      align: 'end',
      cell: ({ fileSize }) => <Bytes value={fileSize} />,
      csv: ({ fileSize }) => fileSize,
    },
    {
      id: 'when',
      title: say('when'),
      sortBy: 'finished',
      from: 'sm',
      cell: ({ finished, started }) => <When at={finished ?? started} />,
      csv: ({ finished }) => finished,
    },
    { id: 'by', title: say('by'), from: 'lg', cell: ({ userName }) => userName, csv: ({ userName }) => userName },
  ];
  if (canCrawl) columns.push({ id: 'actions', title: '', align: 'end', cell: (row) => <RowActions upload={row} /> });
  return columns;
}

function NameCell({ upload }: { readonly upload: Upload }) {
  const say = useTexts(uploadsTexts);
  const { slug } = useOrg();
  const [reason] = upload.errors ?? [];
  return (
    <Stack gap={2}>
      <Anchor component={Link} to={`/o/${slug}/items/${upload.id}`} size="sm" truncate dir="auto">
        {titleOf(upload)}
      </Anchor>
      {upload.state === 'failed' && (
        <Text size="xs" lineClamp={2}>
          {reason ? say('failed', { reason: wordsOf(reason) }) : say('failedNoReason')}
        </Text>
      )}
    </Stack>
  );
}

/** The log line of a failure has its words in `message`. */
function wordsOf(line: string): string {
  try {
    const parsed = JSON.parse(line) as { message?: string };
    return parsed.message ?? line;
  } catch {
    return line;
  }
}

function RowActions({ upload }: { readonly upload: Upload }) {
  const say = useTexts(uploadsTexts);
  const navigate = route.useNavigate();
  const replace = async (): Promise<void> => {
    await navigate({ search: (before) => ({ ...before, replace: upload.id }) });
    // What is asked then stands at the top of the page.
    window.scrollTo({ top: 0 });
  };
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={say('replace', { name: titleOf(upload) })}
        disabled={isActive(upload.state)}
        onClick={() => void replace()}
      >
        <IconReplace size={18} aria-hidden />
      </ActionIcon>
      <Delete upload={upload} />
    </Group>
  );
}

function Delete({ upload }: { readonly upload: Upload }) {
  const say = useTexts(uploadsTexts);
  const { oid } = useOrg();
  const ask = useConfirm();
  const queryClient = useQueryClient();
  const name = titleOf(upload);
  const remove = async (): Promise<void> => {
    const text = say('deleteText', { name });
    const question = { title: say('deleteTitle'), text, action: say('deleteAction'), isDestructive: true };
    if (!(await ask(question))) return;
    const params = { path: { oid } };
    await client
      .POST('/api/orgs/{oid}/uploads/delete', { params, body: { crawl_ids: [upload.id] } })
      .catch(notifyProblem);
    await queryClient.invalidateQueries({ queryKey: ['get', '/api/orgs/{oid}/uploads'] });
  };
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={say('delete', { name })}
      disabled={isActive(upload.state)}
      onClick={() => void remove()}
    >
      <IconTrash size={18} aria-hidden />
    </ActionIcon>
  );
}
