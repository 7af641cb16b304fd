import { Button, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { api, withToken } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { DataList, type Column } from '../data-list';
import { When } from '../format';
import { Empty } from '../problems';
import { Section } from '../section';
import { AuditDetail } from './audit-detail';
import { AuditFilters } from './audit-filters';
import type { AuditSearch } from './audit-search';
import { actionWords, Outcome, Target, useActorName, type AuditEvent } from './audit-words';
import { auditTexts } from './audit.texts';
import { ClosedDays } from './closed-days';
import { Turning, useTurns } from './turning';

const PAGE_SIZE = 50;

interface AuditLogProps {
  /** An org's id, or `all`. */
  readonly oid: string;
  readonly search: AuditSearch;
  readonly onSearch: (change: AuditSearch) => void;
  /** The org of an entry, where entries of several are listed. */
  readonly orgOf?: (event: AuditEvent) => ReactNode;
}

/** The moment at which a day begins for the person, or that many days later. */
function midnight(day: string, later = 0): string | undefined {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

const asked = ({ from, to, outcome, user, action, target }: AuditSearch) => ({
  ...{ outcome, user, action, target },
  from: from && midnight(from),
  to: to && midnight(to, 1),
});

/** The address of all entries that fit, as a file. */
function fileOf(oid: string, search: AuditSearch): string {
  const query = new URLSearchParams({ format: 'csv' });
  for (const [name, value] of Object.entries(asked(search))) if (value) query.set(name, value);
  return withToken(`/api/orgs/${oid}/audit?${query.toString()}`);
}

/** Who did what: the entries, and the days that are closed. */
export function AuditLog(props: AuditLogProps) {
  const { oid, search, onSearch } = props;
  const say = useTexts(auditTexts);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const narrow = (change: AuditSearch, event: AuditEvent): void => {
    if (event.actor && event.actorName) setNames(new Map(names).set(event.actor, event.actorName));
    onSearch(change);
  };
  return (
    <>
      <Section
        title={say('title')}
        lead={say(oid === 'all' ? 'leadAll' : 'lead')}
        actions={
          <Button
            component="a"
            href={fileOf(oid, search)}
            download
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {say('csv')}
          </Button>
        }
      >
        <AuditFilters search={search} onSearch={onSearch} nameOf={(user) => names.get(user)} />
        <Entries key={JSON.stringify(asked(search))} {...props} onNarrow={narrow} />
      </Section>
      <ClosedDays oid={oid} />
    </>
  );
}

interface EntriesProps extends Omit<AuditLogProps, 'onSearch'> {
  readonly onNarrow: (change: AuditSearch, event: AuditEvent) => void;
}
function Entries({ oid, search, orgOf, onNarrow }: EntriesProps) {
  const say = useTexts(auditTexts);
  const turns = useTurns();
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const columns = useColumns(setOpened, orgOf);
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/audit',
    { params: { path: { oid }, query: { ...asked(search), cursor: turns.cursor, pageSize: PAGE_SIZE } } },
    // Older pages do not change.
    { refetchInterval: turns.cursor ? false : EVERY.list, placeholderData: (before) => before },
  );
  const { data } = query;
  const next = data?.next;
  return (
    <>
      <DataList<AuditEvent>
        label={say('title')}
        columns={columns}
        query={{ ...query, data: data && { items: data.items, total: data.items.length } }}
        idOf={({ id }) => id}
        nameOf={({ action }) => actionWords(action)}
        pageSize={PAGE_SIZE}
        search={{}}
        onSearch={() => undefined}
        order={{ sortBy: 'at', dir: -1 }}
        turning={<Turning turns={turns} next={next} />}
        isFiltered={!next && !turns.cursor && Object.values(asked(search)).some(Boolean)}
        empty={<NothingHere turns={turns} next={next} />}
      />
      {opened && (
        <AuditDetail
          event={opened}
          org={orgOf?.(opened)}
          onNarrow={(change) => onNarrow(change, opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** With filters, the API looks at so many entries for each page, and may find none of them that fits. */
function NothingHere(props: Parameters<typeof Turning>[0]) {
  const say = useTexts(auditTexts);
  if (!props.next && !props.turns.cursor) return <Empty title={say('empty')}>{say('emptyText')}</Empty>;
  return (
    <Stack>
      <Empty title={say('noneHere')}>{props.next && say('noneHereText')}</Empty>
      <Turning {...props} />
    </Stack>
  );
}

function useColumns(open: (event: AuditEvent) => void, orgOf: AuditLogProps['orgOf']): readonly Column<AuditEvent>[] {
  const say = useTexts(auditTexts);
  const nameOf = useActorName();
  return [
    {
      id: 'at',
      title: say('when'),
      from: 'sm',
      align: 'start',
      cell: ({ at }) => <When at={at} />,
    },
    {
      id: 'actor',
      title: say('who'),
      from: 'sm',
      width: '17%',
      cell: (event) => (
        <>
          <Text size="sm" truncate dir="auto">
            {nameOf(event)}
          </Text>
          {event.key && (
            <Text size="xs" c="dimmed" truncate>
              {say('withKey')}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'action',
      title: say('action'),
      width: { base: '100%', sm: orgOf ? '22%' : '25%' },
      cell: (event) => (
        <>
          <UnstyledButton
            fz="sm"
            fw={500}
            lang="en"
            maw="100%"
            style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}
            onClick={() => open(event)}
            aria-label={say('details', { action: actionWords(event.action) })}
          >
            {actionWords(event.action)}
          </UnstyledButton>
          <Text size="xs" c="dimmed" truncate dir="auto" hiddenFrom="sm">
            <When at={event.at} /> · {nameOf(event)}
          </Text>
        </>
      ),
    },
    ...(orgOf ? [{ id: 'org', title: say('org'), from: 'md', width: '14%', cell: orgOf } as const] : []),
    { id: 'target', title: say('target'), from: 'md', width: '20%', cell: (event) => <Target event={event} /> },
    { id: 'outcome', title: say('outcome'), align: 'start', cell: ({ outcome }) => <Outcome of={outcome} /> },
    { id: 'address', title: say('address'), from: 'lg', align: 'start', cell: ({ address }) => address ?? '–' },
  ];
}
