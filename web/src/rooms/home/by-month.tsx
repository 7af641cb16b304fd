import { Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { ExportCsv } from '../../ui/export-csv';
import { Loading } from '../../ui/problems';
import { homeTexts } from './home.texts';

// Charts weigh more than the rest of the dashboard, which does not wait for them.
const ByMonthChart = lazy(() => import('./by-month-chart'));

export interface Series {
  readonly id: string;
  readonly label: string;
  readonly color: string;
}

/** A month (`YYYY-MM`) with an amount for each series, where it is known. */
export interface MonthRow {
  readonly month: string;
  readonly values: Readonly<Record<string, number>>;
}

interface ByMonthProps {
  readonly title: string;
  /** What the picture shows, for those who do not see it. */
  readonly text: string;
  readonly rows: readonly MonthRow[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly limit?: { readonly value: number; readonly label: string } | undefined;
}

/** Amounts over time, as a chart or as a table. */
export function ByMonth({ title, text, rows, series, format, limit }: ByMonthProps) {
  const say = useTexts(homeTexts);
  const intl = useIntl();
  const [isTable, setTable] = useState(false);
  const named = rows.map((row) => ({
    ...row,
    name: intl.formatDate(`${row.month}-01T00:00:00Z`, { month: 'short', year: '2-digit', timeZone: 'UTC' }),
  }));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Group gap={4}>
          {isTable && (
            <ExportCsv
              label={title}
              columns={[
                { title: say('month'), csv: ({ month }: MonthRow) => month },
                ...series.map(({ id, label }) => ({ title: label, csv: ({ values }: MonthRow) => values[id] })),
              ]}
              rows={() => rows}
            />
          )}
          <Button size="compact-xs" variant="subtle" onClick={() => setTable(!isTable)}>
            {say(isTable ? 'asChart' : 'asTable')}
          </Button>
        </Group>
      </Group>
      {isTable ? (
        <ScrollArea.Autosize mah={220} viewportProps={{ tabIndex: 0 }}>
          <Table aria-label={title} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say('month')}</Table.Th>
                {series.map(({ id, label }) => (
                  <Table.Th key={id} ta="end">
                    {label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {[...named].reverse().map(({ month, name, values }) => (
                <Table.Tr key={month}>
                  <Table.Td>{name}</Table.Td>
                  {series.map(({ id }) => (
                    <Table.Td key={id} ta="end">
                      {values[id] === undefined ? '–' : format(values[id])}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      ) : (
        <div role="img" aria-label={text}>
          <Suspense fallback={<Loading />}>
            <ByMonthChart rows={named} series={series} format={format} limit={limit} />
          </Suspense>
        </div>
      )}
    </Stack>
  );
}
