import { Anchor, Button, Code, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowsDiff, IconChecklist, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { duration, useBytes, When } from '../../ui/format';
import { StateBadge } from '../../ui/state-badge';
import { CustodyCard } from './custody-card';
import { EditForm } from './edit-form';
import { Facts, type Fact } from './facts';
import { ReviewBadge, Tags } from './item-badges';
import { itemsTexts } from './items.texts';
import { GOOD_STATES } from '../../ui/states';
import type { ItemRecord } from './queries';

/** What the item is, where it came from, how good it is. */
export function OverviewTab({ item }: { readonly item: ItemRecord }) {
  const [isEdited, setEdited] = useState(false);
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Paper withBorder p="md">
          {isEdited ? (
            <EditForm item={item} onDone={() => setEdited(false)} />
          ) : (
            <Described item={item} onEdit={() => setEdited(true)} />
          )}
        </Paper>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="md">
          {(item.fileCount ?? 0) > 0 && <CustodyCard item={item} />}
          {item.type === 'crawl' && <QaCard item={item} />}
          {item.cid && <NeighborsCard item={item} cid={item.cid} />}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Described({ item, onEdit }: { readonly item: ItemRecord; readonly onEdit: () => void }) {
  const say = useTexts(itemsTexts);
  const { canCrawl } = useOrg();
  const facts = useFacts(item);
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2}>{say('overview')}</Title>
        {canCrawl && (
          <Button size="xs" variant="default" leftSection={<IconPencil size={14} aria-hidden />} onClick={onEdit}>
            {say('edit')}
          </Button>
        )}
      </Group>
      <Facts facts={facts} />
    </Stack>
  );
}

function useFacts(item: ItemRecord): readonly Fact[] {
  const say = useTexts(itemsTexts);
  const bytes = useBytes();
  const { slug } = useOrg();
  const { pageCount: pages, uniquePageCount: unique, filePageCount: files, errorPageCount: errors } = item;
  const size = say('sizeOf', { size: bytes(item.fileSize), count: item.fileCount ?? 0 });
  const items = (ids: readonly string[] | null | undefined) => (ids?.length ? <ItemLinks ids={ids} /> : null);
  return [
    {
      label: say('description'),
      value: item.description && (
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
          {item.description}
        </Text>
      ),
    },
    { label: say('tags'), value: item.tags?.length ? <Tags tags={item.tags} /> : null },
    {
      label: say('collections'),
      value: item.collections?.length ? (
        <Group gap="xs">
          {item.collections.map(({ id, name }) => (
            <Anchor key={id} component={Link} to={`/o/${slug}/collections/${id}`} size="sm" dir="auto">
              {name}
            </Anchor>
          ))}
        </Group>
      ) : null,
    },
    {
      label: say('firstSeed'),
      value: item.firstSeed && (
        <>
          <bdi>{item.firstSeed}</bdi>
          {(item.seedCount ?? 0) > 1 && ` ${say('seedsMore', { count: (item.seedCount ?? 0) - 1 })}`}
        </>
      ),
    },
    { label: say('started'), value: <When at={item.started} /> },
    { label: say('finished'), value: item.finished && <When at={item.finished} /> },
    { label: say('duration'), value: item.type === 'crawl' && duration(item.crawlExecSeconds) },
    {
      label: say('pages'),
      value: say('pageCounts', { pages: pages ?? 0, unique: unique ?? 0, files: files ?? 0, errors: errors ?? 0 }),
    },
    {
      label: say('size'),
      value:
        item.fileSizeWithDeps && item.fileSizeWithDeps !== item.fileSize
          ? `${size}; ${say('withDeps', { size: bytes(item.fileSizeWithDeps) })}`
          : size,
    },
    {
      label: say('conserved'),
      value:
        item.dedupeStats &&
        say('conservedOf', {
          size: bytes(item.dedupeStats.conservedSize ?? 0),
          repeated: item.dedupeStats.dupeUrls ?? 0,
          all: item.dedupeStats.totalUrls ?? 0,
        }),
    },
    { label: say('requires'), value: items(item.requiresCrawls) },
    { label: say('requiredBy'), value: items(item.requiredByCrawls) },
    {
      label: say('fixity'),
      value: item.fixity && (
        <>
          <When at={item.fixity.lastVerified} />: {say(`fixity_${item.fixity.result}`)}
        </>
      ),
    },
    { label: say(item.type === 'crawl' ? 'startedBy' : 'uploadedBy'), value: <bdi>{item.userName}</bdi> },
    { label: say('id'), value: <Code>{item.id}</Code> },
  ];
}

function ItemLinks({ ids }: { readonly ids: readonly string[] }) {
  const { slug } = useOrg();
  return (
    <Stack gap={2}>
      {ids.map((id) => (
        <Anchor key={id} component={Link} to={`/o/${slug}/items/${id}`} size="sm">
          {id}
        </Anchor>
      ))}
    </Stack>
  );
}

function QaCard({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const { slug } = useOrg();
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{say('qa')}</Title>
        <Facts
          facts={[
            {
              label: say('review'),
              value: item.reviewStatus ? <ReviewBadge rating={item.reviewStatus} /> : say('notReviewed'),
            },
            { label: say('lastQa'), value: item.lastQAState && <StateBadge state={item.lastQAState} /> },
          ]}
        />
        <Text size="sm">{say('qaRuns', { count: item.qaRunCount ?? 0 })}</Text>
        <Button
          component={Link}
          to={`/o/${slug}/items/${item.id}/qa`}
          variant="default"
          size="xs"
          leftSection={<IconChecklist size={14} aria-hidden />}
        >
          {say('openQa')}
        </Button>
      </Stack>
    </Paper>
  );
}

/** Crawls of the workflow that are offered for a comparison. */
const NEIGHBORS = 6;

/** Other crawls of the same workflow, each with the way to compare it with this one. */
function NeighborsCard({ item, cid }: { readonly item: ItemRecord; readonly cid: string }) {
  const say = useTexts(itemsTexts);
  const { oid, slug } = useOrg();
  const query = { cid, state: [...GOOD_STATES], sortBy: 'started', sortDirection: -1, pageSize: NEIGHBORS + 1 };
  const { data } = api.useQuery('get', '/api/orgs/{oid}/all-crawls', { params: { path: { oid }, query } });
  const others = (data?.items ?? []).filter(({ id }) => id !== item.id).slice(0, NEIGHBORS);
  if (others.length === 0) return null;
  const address = (other: { readonly id: string; readonly started: string }): string => {
    const [a, b] = other.started < item.started ? [other.id, item.id] : [item.id, other.id];
    return `/o/${slug}/items/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`;
  };
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Title order={2}>{say('otherCrawls')}</Title>
        {others.map((other) => (
          <Group key={other.id} justify="space-between" wrap="nowrap">
            <Anchor component={Link} to={`/o/${slug}/items/${other.id}`} size="sm">
              <When at={other.started} />
            </Anchor>
            <Button
              component={Link}
              to={address(other)}
              size="compact-xs"
              variant="default"
              leftSection={<IconArrowsDiff size={12} aria-hidden />}
            >
              {say('compare')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
