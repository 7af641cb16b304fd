import { useQuery } from '@tanstack/react-query';
import { client, type Schemas } from '../../../api/client';
import { bodyOf, changesOf, differencesOf, type Body, type Difference, type Patch } from '../editing/body';
import { draftOf, type Seed, type Workflow } from '../editing/draft';
import { readWorkflow } from '../editing/workflow-data';

/** The settings of a workflow at some time. */
export interface Revision {
  readonly rev: number;
  readonly isCurrent: boolean;
  readonly modified: string;
  readonly by: string | null;
  readonly body: Body;
}

const PAGE = 1000;
type Kept = Schemas['ConfigRevision'];

/** What a revision keeps; name, tags and collections are not of it. */
const settingsOf = (kept: Kept): Workflow =>
  ({ ...kept, crawlFilenameTemplate: null, config: kept.config }) as unknown as Workflow;

/** All revisions, newest first: the workflow as it is, then its former settings. */
export const useRevisions = (oid: string, cid: string) =>
  useQuery({
    queryKey: ['workflow-revisions', oid, cid],
    queryFn: async () => {
      const { workflow, seeds, tag } = await readWorkflow(oid, cid);
      const former: Kept[] = [];
      for (let page = 1; ; page++) {
        const { data } = await client.GET('/api/orgs/{oid}/crawlconfigs/{cid}/revs', {
          params: { path: { oid, cid }, query: { page, pageSize: PAGE } },
        });
        former.push(...(data?.items ?? []));
        if (!data || data.items.length === 0 || former.length >= data.total) break;
      }
      const current = revisionOf({ ...workflow, modified: workflow.modified ?? workflow.created }, seeds, true);
      const kept = former.map((one) => revisionOf(settingsOf(one), one.config.seeds ?? [], false));
      return { workflow, tag, revisions: [current, ...kept.sort((a, b) => b.rev - a.rev)] };
    },
  });

function revisionOf(settings: Workflow, seeds: readonly Seed[], isCurrent: boolean): Revision {
  return {
    rev: settings.rev ?? 0,
    isCurrent,
    modified: settings.modified ?? '',
    by: settings.modifiedByName ?? settings.modifiedBy ?? null,
    body: bodyOf(draftOf(settings, seeds).draft),
  };
}

/** Fields that revisions do not keep. */
const NOT_KEPT = [
  'name',
  'description',
  'tags',
  'autoAddCollections',
  'dedupeCollId',
  'crawlFilenameTemplate',
  'shareable',
] as const;

/** What has to be sent to make one revision of another; fields that revisions do not keep stay as they are. */
export function changesBetween(before: Revision, after: Revision): Patch {
  const patch = changesOf(before.body, after.body);
  for (const key of NOT_KEPT) delete patch[key];
  return patch;
}

/** The fields in which two revisions differ. */
export const differences = (before: Revision, after: Revision): readonly Difference[] =>
  differencesOf(changesBetween(before, after), before.body);
