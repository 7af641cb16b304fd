import { Progress, Stack, Text } from '@mantine/core';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { StateBadge } from '../../ui/state-badge';
import { Card, EntryLink, ShortList } from './card';
import { homeTexts } from './home.texts';
import { useActiveCrawls, useMetrics } from './queries';

/** Crawls that run, wait or are paused, with how far they are. */
export function ActiveCrawls() {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  const crawls = useActiveCrawls();
  const { data: metrics } = useMetrics((crawls.data?.items.length ?? 0) > 0);
  const counts = {
    running: metrics?.workflowsRunningCount ?? 0,
    waiting: metrics?.workflowsQueuedCount ?? 0,
    most: metrics?.maxConcurrentCrawls ?? 0,
  };
  const all = { to: `/o/${slug}/workflows`, search: { running: true } };
  return (
    <Card
      title={say('runningTitle')}
      aside={metrics && say(counts.most > 0 ? 'runningOf' : 'runningCount', counts)}
      all={crawls.data?.total ? all : undefined}
    >
      <ShortList
        query={crawls}
        idOf={({ id }) => id}
        empty={say('nothingRuns')}
        row={({ id, cid, name, firstSeed, state, stats }) => (
          <>
            <EntryLink to={`/o/${slug}/workflows/${cid ?? ''}`} name={name || firstSeed || id} />
            <Stack gap={2} w={130} style={{ flexShrink: 0 }} visibleFrom="xs">
              <Progress
                value={(100 * (stats?.done ?? 0)) / Math.max(1, stats?.found ?? 0)}
                size="sm"
                aria-hidden
                transitionDuration={200}
              />
              <Text size="xs" c="dimmed">
                {say('pagesDone', { done: stats?.done ?? 0, found: stats?.found ?? 0 })}
              </Text>
            </Stack>
            <StateBadge state={state} />
          </>
        )}
      />
    </Card>
  );
}
