import { Anchor, Group, List, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts';
import { useOrg } from '../../../session/me';
import { useBytes } from '../../../ui/format';
import { Loading, Problem } from '../../../ui/problems';
import { useIndexUsers } from './dedupe-queries';
import { dedupeTexts } from './dedupe.texts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly to: string;
  readonly about?: string;
}
interface ListQuery<T> {
  readonly data?: { readonly items: readonly T[]; readonly total: number } | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Who uses an index: workflows, crawls that refer to others, items that are referred to. */
export function IndexUsers({ id }: { readonly id: string }) {
  const say = useTexts(dedupeTexts);
  const bytes = useBytes();
  const { slug } = useOrg();
  const { workflows, referring, needed } = useIndexUsers(id);
  const nameOf = (one: { name?: string | null; firstSeed?: string | null; id: string }): string =>
    one.name || one.firstSeed || one.id;
  const item = (one: { id: string; name?: string | null; firstSeed?: string | null }, about: string): Row => ({
    id: one.id,
    name: nameOf(one),
    to: `/o/${slug}/items/${one.id}`,
    about,
  });
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Users
        title={say('workflows')}
        none={say('workflowsNone')}
        query={workflows}
        row={(one) => ({ id: one.id, name: nameOf(one), to: `/o/${slug}/workflows/${one.id}` })}
      />
      <Users
        title={say('referring')}
        none={say('referringNone')}
        query={referring}
        row={(one) => item(one, `${bytes(one.fileSize)} · ${say('needs', { count: one.requiresCrawls?.length ?? 0 })}`)}
      />
      <Users
        title={say('needed')}
        none={say('neededNone')}
        query={needed}
        row={(one) =>
          item(one, `${bytes(one.fileSize)} · ${say('neededBy', { count: one.requiredByCrawls?.length ?? 0 })}`)
        }
      />
    </SimpleGrid>
  );
}

interface UsersProps<T> {
  readonly title: string;
  readonly none: string;
  readonly query: ListQuery<T>;
  readonly row: (one: T) => Row;
}
function Users<T>({ title, none, query, row }: UsersProps<T>) {
  const say = useTexts(dedupeTexts);
  const { data, error, refetch } = query;
  const rest = data ? data.total - data.items.length : 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" align="baseline" wrap="nowrap" mb="xs">
        <Title order={3}>{title}</Title>
        {data && data.total > 0 && <Text size="sm">{data.total}</Text>}
      </Group>
      {error != null && <Problem error={error} retry={() => void refetch()} />}
      {!data ? (
        error == null && <Loading />
      ) : data.total === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <List size="sm" listStyleType="none" spacing={6}>
          {data.items.map(row).map(({ id, name, to, about }) => (
            <List.Item key={id}>
              <Anchor component={Link} to={to} size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Anchor>
              {about && (
                <Text size="xs" c="dimmed">
                  {about}
                </Text>
              )}
            </List.Item>
          ))}
          {rest > 0 && <List.Item>{say('more', { count: rest })}</List.Item>}
        </List>
      )}
    </Paper>
  );
}
