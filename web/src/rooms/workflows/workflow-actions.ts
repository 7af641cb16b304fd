import { client } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { sayNow } from '../../i18n/texts';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { forgetWorkflows, type Workflow } from './workflow-queries';
import { workflowsTexts } from './workflows.texts';

export const nameOf = (workflow: Pick<Workflow, 'name' | 'firstSeed'>): string =>
  workflow.name || workflow.firstSeed || sayNow(workflowsTexts, 'noName');

const pathOf = ({ oid, id }: Workflow) => ({ params: { path: { oid, cid: id } } });

export const run = async (workflow: Workflow): Promise<void> =>
  void (await client.POST('/api/orgs/{oid}/crawlconfigs/{cid}/run', pathOf(workflow)));

export const stop = async ({ oid, lastCrawlId }: Workflow): Promise<void> =>
  void (await client.POST('/api/orgs/{oid}/crawls/{crawl_id}/stop', {
    params: { path: { oid, crawl_id: lastCrawlId ?? '' } },
  }));

export const remove = async (workflow: Workflow): Promise<void> =>
  void (await client.DELETE('/api/orgs/{oid}/crawlconfigs/{cid}', pathOf(workflow)));

/** Gives the workflow more tags; those it has stay. */
export async function addTags(workflow: Workflow, tags: readonly string[]): Promise<void> {
  const before = workflow.tags ?? [];
  const added = tags.filter((tag) => !before.includes(tag));
  if (added.length === 0) return;
  await client.PATCH('/api/orgs/{oid}/crawlconfigs/{cid}', {
    ...pathOf(workflow),
    body: { tags: [...before, ...added] } as never,
  });
}

type Done = 'started' | 'stopping' | 'deleted' | 'tagged';

/**
 * Does the same with each workflow and says how many it was done with. One that is refused is told of and does not
 * keep the others from it.
 */
export async function forEach(
  workflows: readonly Workflow[],
  action: (workflow: Workflow) => Promise<void>,
  done: Done,
): Promise<void> {
  let count = 0;
  for (const workflow of workflows)
    try {
      await action(workflow);
      count++;
    } catch (error) {
      notifyProblem(error);
    }
  if (count > 0) notifyDone(sayNow(workflowsTexts, done, { count }));
  await Promise.all([
    forgetWorkflows(),
    queryClient.invalidateQueries({ queryKey: ['get', '/api/orgs/{oid}/crawlconfigs/running'] }),
  ]);
}
