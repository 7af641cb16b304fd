import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useMe, useOrg, useOrgRecord } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { DataList } from '../../ui/data-list';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/problems';
import { BulkActions } from './bulk-actions';
import { forEach, nameOf, remove, run, stop } from './workflow-actions';
import { workflowColumns } from './workflow-columns';
import { WorkflowFilters } from './workflow-filters';
import { WorkflowMenu } from './workflow-menu';
import { ORDER, PAGE_SIZE, useWorkflows, type Workflow } from './workflow-queries';
import { isFiltered, workflowSearch } from './workflow-search';
import { workflowsTexts } from './workflows.texts';

const route = getRouteApi('/member/o/$slug/workflows');
/** How many names a question before deleting lists. */
const NAMED = 3;

/** The workflows of an org. */
export function WorkflowsPage() {
  const say = useTexts(workflowsTexts);
  const org = useOrg();
  const me = useMe()?.id;
  const record = useOrgRecord();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useWorkflows(org, search, me);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const askToDelete = useDeletion();
  const isStartable = record !== undefined && !isBlocked(record);
  const chosen = (query.data?.items ?? []).filter(({ id }) => selected.has(id));
  const change = (changed: object): void =>
    void navigate({ search: (before) => workflowSearch({ ...before, page: undefined, ...changed }), replace: true });
  const columns = useMemo(
    () =>
      workflowColumns(org.slug, say, (workflow) => (
        <WorkflowMenu
          workflow={workflow}
          org={org}
          isStartable={isStartable}
          onRun={() => void forEach([workflow], run, 'started')}
          onStop={() => void forEach([workflow], stop, 'stopping')}
          onDelete={() => void askToDelete([workflow])}
        />
      )),
    [org, say, isStartable, askToDelete],
  );
  const newButton = org.canCrawl && (
    <Button component={Link} to={`/o/${org.slug}/workflows/new`} leftSection={<IconPlus size={16} aria-hidden />}>
      {say('new')}
    </Button>
  );
  return (
    <Page title={say('title')} lead={say('lead')} actions={newButton}>
      <DataList
        label={say('title')}
        columns={columns}
        query={query}
        idOf={({ id }) => id}
        nameOf={nameOf}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={ORDER}
        filters={<WorkflowFilters org={org} search={search} change={change} />}
        isFiltered={isFiltered(search)}
        onClearFilters={() => void navigate({ search: {}, replace: true })}
        {...(org.canCrawl
          ? {
              selection: {
                ids: selected,
                change: setSelected,
                actions: (
                  <BulkActions
                    oid={org.oid}
                    workflows={chosen}
                    isStartable={isStartable}
                    onDelete={(workflows) => void askToDelete(workflows).then((done) => done && setSelected(new Set()))}
                  />
                ),
              },
            }
          : {})}
        empty={
          <Empty title={say('empty')} action={newButton}>
            {say(org.canCrawl ? 'emptyText' : 'emptyViewer')}
          </Empty>
        }
      />
    </Page>
  );
}

interface Blocks {
  readonly readOnly?: boolean | null;
  readonly storageQuotaReached?: boolean | null;
  readonly execMinutesQuotaReached?: boolean | null;
}
const isBlocked = ({ readOnly, storageQuotaReached, execMinutesQuotaReached }: Blocks): boolean =>
  Boolean(readOnly || storageQuotaReached || execMinutesQuotaReached);

/** Asks, then deletes; answers whether it was agreed to. */
function useDeletion(): (workflows: readonly Workflow[]) => Promise<boolean> {
  const say = useTexts(workflowsTexts);
  const ask = useConfirm();
  return useMemo(
    () => async (workflows) => {
      const names = workflows.slice(0, NAMED).map(nameOf).join(', ');
      const more = workflows.length - NAMED;
      const isAgreed = await ask({
        title: say('deleteTitle', { count: workflows.length }),
        text: say('deleteText', { names: more > 0 ? say('andMore', { names, count: more }) : names }),
        action: say('delete'),
        isDestructive: true,
      });
      if (isAgreed) await forEach(workflows, remove, 'deleted');
      return isAgreed;
    },
    [ask, say],
  );
}
