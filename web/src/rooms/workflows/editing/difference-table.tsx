import { Paper, Table, Text } from '@mantine/core';
import { useIntl } from 'react-intl';
import { api } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import type { Difference } from './body';
import { ExportCsv } from '../../../ui/export-csv';
import { editingTexts } from './editing.texts';
import { orderOf, wordOf } from './field-words';
import { linesOf } from './value-words';

interface TableProps {
  readonly oid: string;
  readonly label: string;
  readonly found: readonly Difference[];
  /** What the two sides are called; before and after unless given. */
  readonly sides?: readonly [string, string];
}
/** Settings with their values on two sides, in the order and words of the editor. */
export function DifferenceTable({ oid, label, found, sides }: TableProps) {
  const say = useTexts(editingTexts);
  const intl = useIntl();
  const nameOf = useNames(oid, found);
  const words = { say, intl, nameOf };
  const titles = sides ?? [say('before'), say('after')];
  const ordered = [...found].sort((a, b) => orderOf(a.field) - orderOf(b.field));
  return (
    <Paper withBorder radius="md">
      <Table.ScrollContainer minWidth={300} type="native">
        <Table aria-label={label} verticalSpacing="sm" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={{ base: '34%', sm: '26%' }}>{say('setting')}</Table.Th>
              <Table.Th>{titles[0]}</Table.Th>
              <Table.Th>{titles[1]}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {ordered.map(({ field, before, after }) => {
              const was = linesOf(field, before, words);
              const is = linesOf(field, after, words);
              return (
                <Table.Tr key={field} style={{ verticalAlign: 'top' }}>
                  <Table.Th scope="row" fw={500} style={{ overflowWrap: 'anywhere' }}>
                    {wordOf(say, field)}
                  </Table.Th>
                  <Table.Td>
                    <Lines lines={was} others={is} kind="removed" />
                  </Table.Td>
                  <Table.Td>
                    <Lines lines={is} others={was} kind="added" />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <ExportCsv
        label={label}
        columns={[
          { title: say('setting'), csv: ({ field }) => wordOf(say, field) },
          { title: titles[0], csv: ({ field, before }) => linesOf(field, before, words).join('\n') },
          { title: titles[1], csv: ({ field, after }) => linesOf(field, after, words).join('\n') },
        ]}
        rows={() => ordered}
      />
    </Paper>
  );
}

/** The names of what is kept by its id, where settings with such ids differ. */
function useNames(oid: string, found: readonly Difference[]): (id: string) => string | undefined {
  const differ = (...fields: string[]): boolean => found.some(({ field }) => fields.includes(field));
  const params = { params: { path: { oid }, query: { pageSize: 1000 } } };
  const profiles = api.useQuery('get', '/api/orgs/{oid}/profiles', params, { enabled: differ('profileid') });
  const collections = api.useQuery('get', '/api/orgs/{oid}/collections', params, {
    enabled: differ('autoAddCollections', 'dedupeCollId'),
  });
  const known = [...(profiles.data?.items ?? []), ...(collections.data?.items ?? [])];
  return (id) => known.find((one) => one.id === id)?.name;
}

interface LinesProps {
  readonly lines: readonly string[];
  readonly others: readonly string[];
  readonly kind: 'added' | 'removed';
}
/** The lines of one side; those that the other side has too are counted. */
function Lines({ lines, others, kind }: LinesProps) {
  const say = useTexts(editingTexts);
  const own = lines.filter((line) => !others.includes(line));
  const shared = lines.length - own.length;
  const color = kind === 'added' ? 'green' : 'red';
  const Mark = kind === 'added' ? 'ins' : 'del';
  return (
    <>
      {own.map((line) => (
        <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Mark
            style={{ textDecoration: 'none', background: `var(--mantine-color-${color}-light)`, padding: '1px 4px' }}
            aria-label={`${say(kind)}: ${line}`}
          >
            <span aria-hidden>{kind === 'added' ? '+' : '−'} </span>
            {line}
          </Mark>
        </Text>
      ))}
      {shared > 0 && (
        <Text size="xs" c="dimmed">
          {say('unchanged', { count: shared })}
        </Text>
      )}
    </>
  );
}
