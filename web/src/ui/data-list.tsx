import {
  ActionIcon,
  Box,
  Button,
  Checkbox,
  Group,
  Paper,
  Table,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { everyRow } from '../api/every-row';
import { useTexts } from '../i18n/texts';
import classes from './data-list.module.css';
import { ExportCsv } from './export-csv';
import type { ListSearch } from './list-search';
import { Loading, Problem } from './problems';
import { uiTexts } from './ui.texts';

/** Mantine's own is too pale in the dark for links on it. */
const HOVERED = 'light-dark(var(--mantine-color-gray-1), #2b2b2b)';

export interface Column<T> {
  readonly id: string;
  readonly title: string;
  /** The API's `sortBy` value, for columns that lists can be put in order by. */
  readonly sortBy?: string;
  /** For figures and moments, which stand on one line. */
  readonly align?: 'start' | 'end';
  /** The column is left out on screens narrower than this. */
  readonly from?: 'sm' | 'md' | 'lg';
  /**
   * For columns whose text may be long: it is cut with an ellipsis, and this share of the width is theirs; `base` on
   * phones, where the share differs.
   */
  readonly width?: string | { readonly base: string; readonly sm: string };
  /** The column stands in exported files alone. */
  readonly isOnlyExported?: boolean;
  cell(row: T): ReactNode;
  /** The value in an exported file; columns without one are not in it. */
  csv?(row: T): string | number | null | undefined;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly change: (ids: ReadonlySet<string>) => void;
  /** Actions for what is selected. */
  readonly actions: ReactNode;
}

interface ListQuery<T> {
  readonly data?: { readonly items: readonly T[]; readonly total: number } | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
}

interface DataListProps<T> {
  /** What the list holds, for those who hear the page; also the name of an exported file. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly query: ListQuery<T>;
  readonly idOf: (row: T) => string;
  readonly nameOf: (row: T) => string;
  readonly pageSize: number;
  readonly search: ListSearch;
  readonly onSearch: (change: ListSearch) => void;
  /** Order when the address says none. */
  readonly order: { readonly sortBy: string; readonly dir: 1 | -1 };
  readonly filters?: ReactNode;
  readonly isFiltered?: boolean;
  readonly onClearFilters?: () => void;
  readonly selection?: Selection;
  /** Shown when nothing is in the list and no filter is set. */
  readonly empty: ReactNode;
  /** Every row for an exported file, for a list that is no page of the API's. */
  readonly readAll?: () => readonly T[] | Promise<readonly T[]>;
  /** In the place of numbered pages, for a list that the API gives by cursors. */
  readonly turning?: ReactNode;
}

/** A page of a list of the API: filters, order by column, selection, pages, CSV. What it shows stands in the address. */
export function DataList<T>(props: DataListProps<T>) {
  const { query, filters, selection, empty, isFiltered = false, turning } = props;
  const rows = query.data?.items ?? [];
  const total = query.data?.total ?? 0;
  return (
    <Box>
      {filters && <Box mb="sm">{filters}</Box>}
      {selection && selection.ids.size > 0 && <SelectionBar selection={selection} />}
      {query.error != null && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending ? (
        <Loading />
      ) : rows.length > 0 ? (
        <>
          <Rows {...props} rows={rows} />
          {turning ?? <Pages {...props} shown={rows.length} total={total} rows={rows} />}
        </>
      ) : isFiltered || (props.search.page ?? 1) > 1 ? (
        <NoMatches onClear={props.onClearFilters} />
      ) : (
        query.error == null && empty
      )}
    </Box>
  );
}

function SelectionBar({ selection }: { readonly selection: Selection }) {
  const say = useTexts(uiTexts);
  return (
    <Paper withBorder p="xs" mb="sm" role="toolbar" className={classes.selection}>
      <Group gap="sm">
        <Text size="sm" fw={500}>
          {say('selected', { count: selection.ids.size })}
        </Text>
        {selection.actions}
        <Button size="compact-sm" variant="subtle" ml="auto" onClick={() => selection.change(new Set())}>
          {say('cancel')}
        </Button>
      </Group>
    </Paper>
  );
}

function NoMatches({ onClear }: { readonly onClear: (() => void) | undefined }) {
  const say = useTexts(uiTexts);
  return (
    <Group p="xl" justify="center">
      <Text c="dimmed">{say('noMatches')}</Text>
      {onClear && (
        <Button size="compact-sm" variant="default" onClick={onClear}>
          {say('clearFilters')}
        </Button>
      )}
    </Group>
  );
}

function Rows<T>({ rows, ...props }: DataListProps<T> & { readonly rows: readonly T[] }) {
  const say = useTexts(uiTexts);
  const { idOf, nameOf, selection, label } = props;
  const columns = props.columns.filter((column) => !column.isOnlyExported);
  const isWhole = selection !== undefined && rows.every((row) => selection.ids.has(idOf(row)));
  const toggle = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(selection?.ids);
    for (const id of ids)
      if (isOn) next.add(id);
      else next.delete(id);
    selection?.change(next);
  };
  return (
    <Table.ScrollContainer minWidth={280}>
      <Table
        aria-label={label}
        highlightOnHover
        highlightOnHoverColor={HOVERED}
        verticalSpacing="xs"
        className={classes.table}
      >
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={say('selectAll')}
                  checked={isWhole}
                  indeterminate={!isWhole && rows.some((row) => selection.ids.has(idOf(row)))}
                  onChange={(event) => toggle(rows.map(idOf), event.currentTarget.checked)}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} {...props} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr
              key={idOf(row)}
              bg={selection?.ids.has(idOf(row)) ? 'var(--mantine-primary-color-light)' : undefined}
            >
              {selection && (
                <Table.Td>
                  <Checkbox
                    aria-label={say('selectRow', { name: nameOf(row) })}
                    checked={selection.ids.has(idOf(row))}
                    onChange={(event) => toggle([idOf(row)], event.currentTarget.checked)}
                  />
                </Table.Td>
              )}
              {columns.map((column) => (
                <Table.Td
                  key={column.id}
                  visibleFrom={column.from}
                  ta={column.align ?? 'start'}
                  className={column.width ? classes.long : column.align ? classes.figure : undefined}
                >
                  {column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Head<T>({ column, search, order, onSearch }: DataListProps<T> & { readonly column: Column<T> }) {
  const say = useTexts(uiTexts);
  const { title, sortBy, from, align = 'start', width } = column;
  const current = { sortBy: search.sortBy ?? order.sortBy, dir: search.dir ?? order.dir };
  const isCurrent = sortBy !== undefined && current.sortBy === sortBy;
  const Arrow = current.dir === 1 ? IconArrowUp : IconArrowDown;
  const ariaSort = isCurrent ? (current.dir === 1 ? 'ascending' : 'descending') : undefined;
  return (
    <Table.Th visibleFrom={from} ta={align} w={width} aria-sort={ariaSort}>
      {sortBy ? (
        <UnstyledButton
          className={classes.sort}
          fz="inherit"
          ta="inherit"
          aria-label={say('sortBy', { column: title })}
          onClick={() => onSearch({ sortBy, dir: isCurrent && current.dir === -1 ? 1 : -1, page: 1 })}
        >
          {title}
          {isCurrent && <Arrow size={14} aria-hidden />}
        </UnstyledButton>
      ) : (
        title || <VisuallyHidden>{say('actions')}</VisuallyHidden>
      )}
    </Table.Th>
  );
}

interface PagesProps<T> extends DataListProps<T> {
  readonly rows: readonly T[];
  readonly shown: number;
  readonly total: number;
}
function Pages<T>(props: PagesProps<T>) {
  const { query, rows, shown, total, pageSize, search, onSearch, columns, label, readAll } = props;
  const say = useTexts(uiTexts);
  const page = search.page ?? 1;
  const from = (page - 1) * pageSize + 1;
  return (
    <Group justify="space-between" mt="xs">
      <ExportCsv
        label={label}
        columns={columns}
        rows={readAll ?? (() => everyRow(query.data ?? { items: rows, total }))}
      />
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          {say('pageOf', { from, to: from + shown - 1, total })}
        </Text>
        <ActionIcon
          variant="default"
          aria-label={say('previousPage')}
          disabled={page <= 1}
          onClick={() => onSearch({ page: page - 1 })}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={say('nextPage')}
          disabled={from + shown > total}
          onClick={() => onSearch({ page: page + 1 })}
        >
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
