import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts';
import { Loading, Problem } from '../../ui/problems';
import { homeTexts } from './home.texts';

interface CardProps {
  readonly title: string;
  readonly aside?: ReactNode;
  /** The list that this part is of. */
  readonly all?: { readonly to: string; readonly search?: Record<string, unknown> };
  readonly children: ReactNode;
}

/** A part of the dashboard. */
export function Card({ title, aside, all, children }: CardProps) {
  const say = useTexts(homeTexts);
  return (
    <Paper withBorder p="md" component="section" aria-label={title} style={{ minWidth: 0 }}>
      <Stack gap="sm" h="100%">
        <Group justify="space-between" align="baseline" gap="xs">
          <Title order={2}>{title}</Title>
          {aside && (
            <Text size="sm" c="dimmed">
              {aside}
            </Text>
          )}
          {all && (
            <Anchor
              component={Link}
              to={all.to}
              search={all.search as never}
              size="sm"
              ml="auto"
              aria-label={`${say('showAll')}: ${title}`}
            >
              {say('showAll')}
            </Anchor>
          )}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

interface ShortListProps<T> {
  readonly query: {
    readonly data?: { readonly items: readonly T[] } | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
  readonly idOf: (row: T) => string;
  readonly row: (row: T) => ReactNode;
  /** In place of the entries when there are none. */
  readonly empty: string;
}

/** The first entries of a list, one below the other. */
export function ShortList<T>({ query, idOf, row, empty }: ShortListProps<T>) {
  if (query.isPending) return <Loading />;
  if (!query.data) return <Problem error={query.error} retry={() => void query.refetch()} />;
  if (query.data.items.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  return (
    <Stack gap={0} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {query.data.items.map((one) => (
        <Group key={idOf(one)} component="li" gap="sm" py={6} wrap="nowrap" justify="space-between" mih={36}>
          {row(one)}
        </Group>
      ))}
    </Stack>
  );
}

/** The name of an entry, which leads to it; a long one is cut. */
export function EntryLink({ to, name }: { readonly to: string; readonly name: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" truncate title={name} style={{ minWidth: 0, flex: '1 1 0' }}>
      <bdi>{name}</bdi>
    </Anchor>
  );
}
