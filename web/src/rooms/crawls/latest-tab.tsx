import { Grid, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Empty, Loading, Problem } from '../../ui/problems';
import { isActive } from '../../ui/state-badge';
import { CrawlStatus } from './crawl-status';
import { crawlsTexts } from './crawls.texts';
import { LiveWindows } from './live-windows';
import { PagesPanel } from './pages-panel';
import { useCrawl, useReadAgain, type Workflow } from './queries';
import { QueuePanel } from './queue-panel';

/** The latest crawl of the workflow: as it runs, and what came of it. */
export function LatestTab({ workflow }: { readonly workflow: Workflow }) {
  const say = useTexts(crawlsTexts);
  const { canCrawl } = useOrg();
  const crawl = useCrawl(workflow.lastCrawlId);
  useTurns(crawl.data?.state);
  const isGone = crawl.error instanceof ApiProblem && crawl.error.status === 404;
  if (!workflow.lastCrawlId)
    return <Empty title={say('never')}>{say(canCrawl ? 'neverText' : 'neverTextViewer')}</Empty>;
  if (isGone) return <Empty title={say('gone')}>{say('goneText')}</Empty>;
  if (!crawl.data) {
    if (crawl.error) return <Problem error={crawl.error} retry={() => void crawl.refetch()} />;
    return <Loading />;
  }
  const isOn = isActive(crawl.data.state);
  return (
    <Stack gap="md">
      <CrawlStatus crawl={crawl.data} workflow={workflow} />
      <Grid gap="md">
        {isOn && canCrawl && (
          <Grid.Col span={12}>
            <LiveWindows crawl={crawl.data} />
          </Grid.Col>
        )}
        {isOn && canCrawl && (
          <Grid.Col span={{ base: 12, lg: 6 }}>
            <QueuePanel crawl={crawl.data} workflow={workflow} />
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, lg: isOn && canCrawl ? 6 : 12 }}>
          <PagesPanel crawl={crawl.data} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

/** When the crawl ends or changes its state, the workflow and the lists are read anew. */
function useTurns(state: string | undefined): void {
  const readAgain = useReadAgain();
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== undefined && state !== undefined && before.current !== state) void readAgain();
    before.current = state;
  }, [state, readAgain]);
}
