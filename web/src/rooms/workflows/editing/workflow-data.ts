import { useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client';
import type { Seed, Workflow } from './draft';

export interface Stored {
  readonly workflow: Workflow;
  readonly seeds: readonly Seed[];
  /** For `If-Match`: a change is for what was read here. */
  readonly tag: string | null;
}

const PAGE = 1000;

/** A workflow with all its start addresses, as it is stored now. @throws ApiProblem */
export async function readWorkflow(oid: string, cid: string): Promise<Stored> {
  const path = { oid, cid };
  const { data: workflow, response } = await client.GET('/api/orgs/{oid}/crawlconfigs/{cid}', { params: { path } });
  if (!workflow) throw new Error('The service answered without a workflow.');
  const seeds: Seed[] = [];
  for (let page = 1, total = 1; seeds.length < total && !workflow.config?.seedFileId; page++) {
    const { data } = await client.GET('/api/orgs/{oid}/crawlconfigs/{cid}/seeds', {
      params: { path, query: { page, pageSize: PAGE } },
    });
    if (!data || data.items.length === 0) break;
    seeds.push(...data.items);
    total = data.total;
  }
  return { workflow, seeds, tag: response.headers.get('ETag') };
}

/** The workflow as it was when the page was opened: what is edited does not change under its editor. */
export const useStoredOnce = (oid: string, cid: string | undefined) =>
  useQuery({
    queryKey: ['workflow-to-edit', oid, cid],
    queryFn: () => readWorkflow(oid, cid ?? ''),
    enabled: cid !== undefined,
    staleTime: 'static', // not even a new login reads it anew
    gcTime: 0,
  });
