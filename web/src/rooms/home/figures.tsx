import { Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Count } from '../../ui/format';
import classes from './home.module.css';
import { homeTexts } from './home.texts';
import { useMetrics, useNextRuns, useWorkflowCount } from './queries';

/** Counts of what the org has; each leads to its list. */
export function Figures() {
  const say = useTexts(homeTexts);
  const { slug, canCrawl } = useOrg();
  const { data: metrics } = useMetrics();
  const { data: workflows } = useWorkflowCount();
  const { data: scheduled } = useNextRuns();
  const at = (path: string): string => `/o/${slug}${path}`;
  const itemsAside = metrics && say('itemsAside', { crawls: metrics.crawlCount, uploads: metrics.uploadCount });
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm" component="section" aria-label={say('figures')}>
      <Figure label={say('items')} value={metrics?.archivedItemCount} aside={itemsAside} to={at('/items')} />
      <Figure label={say('pages')} value={metrics?.pageCount} to={at('/items')} />
      <Figure
        label={say('workflows')}
        value={workflows?.total}
        aside={scheduled && say('workflowsAside', { count: scheduled.total })}
        to={at('/workflows')}
      />
      <Figure
        label={say('collections')}
        value={metrics?.collectionsCount}
        aside={metrics && say('collectionsAside', { count: metrics.publicCollectionsCount })}
        to={at('/collections')}
      />
      {canCrawl && <Figure label={say('profiles')} value={metrics?.profileCount} to={at('/profiles')} />}
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly aside?: string | undefined;
  readonly to: string;
}
function Figure({ label, value, aside, to }: FigureProps) {
  return (
    <Paper withBorder p="md" component={Link} to={to} className={classes.figure}>
      <Text size="sm" c="dimmed" truncate>
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton h={30} w={60} />
      ) : (
        <Text fz={24} fw={600} lh={1.25}>
          <Count value={value} />
        </Text>
      )}
      <Text size="xs" c="dimmed" mih={18}>
        {aside}
      </Text>
    </Paper>
  );
}
