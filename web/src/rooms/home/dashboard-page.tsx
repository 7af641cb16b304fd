import { Button, SimpleGrid } from '@mantine/core';
import { IconPlus, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Page } from '../../ui/page';
import { Empty, Loading, Problem } from '../../ui/problems';
import { ActiveCrawls } from './active-crawls';
import { Figures } from './figures';
import { FirstCrawl } from './first-crawl';
import { homeTexts } from './home.texts';
import { Minutes } from './minutes';
import { LastProblems, NewestCollections, NewestItems, NextRuns } from './short-lists';
import { useMetrics, useWorkflowCount } from './queries';
import { Storage } from './storage';

/** How an org does, and what waits for somebody; in an org where nothing is yet, the first crawl. */
export function DashboardPage() {
  const say = useTexts(homeTexts);
  const { canCrawl } = useOrg();
  const metrics = useMetrics();
  const workflows = useWorkflowCount();
  const error = metrics.error ?? workflows.error;
  const isRead = metrics.data && workflows.data;
  if (!isRead && error)
    return (
      <Page title={say('title')}>
        <Problem error={error} retry={() => void Promise.all([metrics.refetch(), workflows.refetch()])} />
      </Page>
    );
  if (!isRead) return <Loading />;
  const isEmpty = metrics.data?.archivedItemCount === 0 && workflows.data?.total === 0;
  if (isEmpty && canCrawl) return <FirstCrawl />;
  if (isEmpty)
    return (
      <Page title={say('title')}>
        <Empty title={say('emptyTitle')}>{say('emptyText')}</Empty>
      </Page>
    );
  return <Overview />;
}

function Overview() {
  const say = useTexts(homeTexts);
  const { slug, canCrawl } = useOrg();
  const actions = canCrawl && (
    <>
      <Button
        component={Link}
        to={`/o/${slug}/uploads`}
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
      >
        {say('upload')}
      </Button>
      <Button component={Link} to={`/o/${slug}/workflows/new`} leftSection={<IconPlus size={16} aria-hidden />}>
        {say('newWorkflow')}
      </Button>
    </>
  );
  return (
    <Page title={say('title')} actions={actions}>
      <Figures />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <ActiveCrawls />
        <LastProblems />
        <Storage />
        <Minutes />
        <NextRuns />
        <NewestCollections />
      </SimpleGrid>
      <NewestItems />
    </Page>
  );
}
