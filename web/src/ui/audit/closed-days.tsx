import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useIntl } from 'react-intl';
import { api, withToken, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { DataList, type Column } from '../data-list';
import { Bytes, Count } from '../format';
import { Section } from '../section';
import { auditTexts } from './audit.texts';
import { Turning, useTurns } from './turning';

type Day = Schemas['AuditDayOut'];

const PAGE_SIZE = 10;

/** Days whose entries are in files, each chained to the one before. @param oid an org's id, or `all` */
export function ClosedDays({ oid }: { readonly oid: string }) {
  const say = useTexts(auditTexts);
  const dayOf = useDay();
  const turns = useTurns();
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/audit/days',
    { params: { path: { oid }, query: { before: turns.cursor, pageSize: PAGE_SIZE } } },
    { placeholderData: (before) => before },
  );
  const { data } = query;
  const columns: readonly Column<Day>[] = [
    { id: 'day', title: say('day'), align: 'start', cell: ({ day }) => dayOf(day) },
    { id: 'count', title: say('lines'), align: 'end', from: 'sm', cell: ({ count }) => <Count value={count} /> },
    { id: 'size', title: say('size'), align: 'end', from: 'md', cell: ({ size }) => <Bytes value={size} /> },
    { id: 'digest', title: say('digest'), width: '45%', cell: (day) => <Digest of={day} name={dayOf(day.day)} /> },
    {
      id: 'file',
      title: say('file'),
      align: 'end',
      cell: ({ day }) => (
        <Tooltip label={say('download')}>
          <ActionIcon
            component="a"
            variant="subtle"
            href={withToken(`/api/orgs/${oid}/audit/days/${day}/file`)}
            download
            aria-label={say('downloadDay', { day: dayOf(day) })}
          >
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  return (
    <Section title={say('days')} lead={say(oid === 'all' ? 'daysLeadAll' : 'daysLead')}>
      {data?.checkpoint && <Text size="sm">{say('cut', { day: dayOf(data.checkpoint.day) })}</Text>}
      <DataList<Day>
        label={say('days')}
        columns={columns}
        query={{ ...query, data: data && { items: data.items, total: data.items.length } }}
        idOf={({ day }) => day}
        nameOf={({ day }) => dayOf(day)}
        pageSize={PAGE_SIZE}
        search={{}}
        onSearch={() => undefined}
        order={{ sortBy: 'day', dir: -1 }}
        turning={<Turning turns={turns} next={data?.next} />}
        empty={
          <Text size="sm" c="dimmed">
            {say('noDays')}
          </Text>
        }
      />
    </Section>
  );
}

/** A day of the service's, which are those of UTC. */
function useDay(): (day: string) => string {
  const intl = useIntl();
  return (day) => intl.formatDate(`${day}T00:00:00Z`, { dateStyle: 'medium', timeZone: 'UTC' });
}

function Digest({ of, name }: { readonly of: Day; readonly name: string }) {
  const say = useTexts(auditTexts);
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" ff="monospace" truncate title={of.digest}>
        {of.digest}
      </Text>
      <CopyButton value={of.digest}>
        {({ copied, copy }) => {
          const Icon = copied ? IconCheck : IconCopy;
          return (
            <Tooltip label={say(copied ? 'copied' : 'copy')}>
              <ActionIcon variant="subtle" color="gray" aria-label={say('copyDigest', { day: name })} onClick={copy}>
                <Icon size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          );
        }}
      </CopyButton>
    </Group>
  );
}
