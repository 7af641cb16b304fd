import { Badge, Group, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Page } from '../../ui/page';
import { Loading, Problem } from '../../ui/problems';
import { StateBadge } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { CrawlActions } from './crawl-actions';
import { HistoryTab } from './history-tab';
import { LatestTab } from './latest-tab';
import { LogsTab } from './logs-tab';
import { nameOf, useWorkflow, type Workflow } from './queries';
import { SettingsTab } from './settings-tab';
import { WorkflowMenu } from './workflow-menu';
import { workflowSearch, type ChangeSearch, type WorkflowSearch } from './workflow-search';

const route = getRouteApi('/member/o/$slug/workflows/$id');

/** A workflow: its crawl while it runs, logs, earlier crawls, settings. */
export function WorkflowPage() {
  const say = useTexts(crawlsTexts);
  const { slug } = useOrg();
  const { id } = route.useParams();
  const workflow = useWorkflow(id);
  const back = { to: `/o/${slug}/workflows`, label: say('workflows') };
  if (workflow.data) return <Shown key={id} workflow={workflow.data} back={back} />;
  return (
    <Page title={say('workflow')} back={back}>
      {workflow.error ? <Problem error={workflow.error} retry={() => void workflow.refetch()} /> : <Loading />}
    </Page>
  );
}

interface ShownProps {
  readonly workflow: Workflow;
  readonly back: { readonly to: string; readonly label: string };
}
function Shown({ workflow, back }: ShownProps) {
  const say = useTexts(crawlsTexts);
  const { canCrawl } = useOrg();
  const { search, change, show } = useAddress();
  const tab = search.tab ?? 'latest';
  return (
    <Page
      title={nameOf({ ...workflow, firstSeed: workflow.firstSeed ?? '' })}
      back={back}
      aside={tab !== 'latest' && workflow.lastCrawlState ? <StateBadge state={workflow.lastCrawlState} /> : undefined}
      lead={workflow.description ?? undefined}
      actions={
        <Group gap="xs">
          {canCrawl && <CrawlActions workflow={workflow} />}
          <WorkflowMenu workflow={workflow} />
        </Group>
      }
    >
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List aria-label={say('tabs')} mb="md">
          <Tabs.Tab value="latest">{say('latest')}</Tabs.Tab>
          <Tabs.Tab value="logs">{say('logs')}</Tabs.Tab>
          <Tabs.Tab
            value="history"
            rightSection={
              workflow.crawlCount ? (
                <Badge size="sm" variant="default" circle={workflow.crawlCount < 10}>
                  {workflow.crawlCount}
                </Badge>
              ) : undefined
            }
          >
            {say('history')}
          </Tabs.Tab>
          <Tabs.Tab value="settings">{say('settings')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="latest">
          <LatestTab workflow={workflow} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <LogsTab workflow={workflow} search={search} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <HistoryTab workflow={workflow} search={search} change={change} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab workflow={workflow} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

interface Address {
  readonly search: WorkflowSearch;
  readonly change: ChangeSearch;
  readonly show: (tab: string | null) => void;
}
function useAddress(): Address {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = useCallback<ChangeSearch>(
    (values) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...values }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  const show = useCallback(
    (tab: string | null) => void navigate({ to: '.', search: workflowSearch({ tab }), resetScroll: false }),
    [navigate],
  );
  return { search, change, show };
}
