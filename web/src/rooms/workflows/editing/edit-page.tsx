import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client';
import { ApiProblem } from '../../../api/problem';
import { useTexts } from '../../../i18n/texts';
import { useOrg, useOrgRecord } from '../../../session/me';
import { Page } from '../../../ui/page';
import { Empty, Loading, notifyDone, Problem } from '../../../ui/problems';
import { forgetWorkflows } from '../workflow-queries';
import { bodyOf, changesOf, type Patch } from './body';
import { conflictOf, useConflictQuestion } from './conflict';
import { draftOf, type Draft } from './draft';
import { Editor } from './editor';
import { editingTexts } from './editing.texts';
import { notifyNotStarted } from './field-errors';
import { withLongListAsFile } from './long-list';
import { readWorkflow, useStoredOnce, type Stored } from './workflow-data';

const route = getRouteApi('/member/o/$slug/workflows/$id/edit');

/** The settings of a workflow, to change. */
export function EditWorkflowPage() {
  const say = useTexts(editingTexts);
  const org = useOrg();
  // Whoever loses the role in the middle of an edit is told so by the API, and keeps what is typed.
  const [mayEdit] = useState(org.canCrawl);
  const navigate = useNavigate();
  const { id } = route.useParams();
  const record = useOrgRecord();
  const stored = useStoredOnce(org.oid, id);
  const loaded = useMemo(() => stored.data && draftOf(stored.data.workflow, stored.data.seeds), [stored.data]);
  const [askAboutConflict, conflictDialog] = useConflictQuestion();
  const page = `/o/${org.slug}/workflows/${id}`;

  const save = async (draft: Draft, isRun: boolean): Promise<boolean> => {
    if (!loaded || !stored.data) return false;
    const sent = await withLongListAsFile(org.oid, draft);
    const changes = changesOf(bodyOf(loaded.draft), bodyOf(sent), loaded.isHoisted);
    let base = stored.data;
    while (!(await isStoredOver(base, changes))) {
      base = await readWorkflow(org.oid, id);
      const conflict = conflictOf(loaded, base, changes);
      const decision = conflict ? await askAboutConflict(conflict) : 'keep';
      if (decision === 'theirs') await stored.refetch();
      if (decision !== 'keep') return false;
    }
    const isRunning = base.workflow.isCrawlRunning ?? false;
    const refusal = isRun && !isRunning ? await refusalToRun(base) : null;
    await forgetWorkflows();
    if (refusal) notifyNotStarted(refusal);
    else notifyDone(say(isRunning ? 'savedRunning' : isRun ? 'savedAndRun' : 'saved'));
    await navigate({ to: page });
    return true;
  };
  const name = stored.data?.workflow.name || stored.data?.workflow.firstSeed || '';
  return (
    <Page title={say('titleEdit')} back={{ to: page, label: name || say('workflow') }}>
      {conflictDialog}
      {!mayEdit ? (
        <Empty title={say('forCrawlers')}>{say('forCrawlersText')}</Empty>
      ) : stored.error ? (
        <Problem error={stored.error} retry={() => void stored.refetch()} />
      ) : loaded ? (
        <Editor
          // Another person's version is edited from its beginning.
          key={stored.dataUpdatedAt}
          oid={org.oid}
          initial={loaded.draft}
          save={save}
          leave={() => void navigate({ to: page })}
          isStartable={!record?.readOnly}
          lastCrawlId={stored.data?.workflow.lastCrawlId}
        />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

/**
 * Stores changes over the workflow as it was read.
 * @returns false when somebody else changed it since
 * @throws ApiProblem
 */
async function isStoredOver({ workflow, tag }: Stored, changes: Patch): Promise<boolean> {
  const { oid, id: cid } = workflow;
  const isRunning = workflow.isCrawlRunning ?? false;
  try {
    await client.PATCH('/api/orgs/{oid}/crawlconfigs/{cid}', {
      params: { path: { oid, cid } },
      headers: { 'If-Match': tag },
      body: { ...changes, updateRunning: isRunning } as never,
    });
    return true;
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'workflow_not_as_expected') return false;
    throw error;
  }
}

/**
 * Starts a workflow whose changes are stored: a refusal to run it says nothing against them, which one request for both
 * would leave open.
 * @returns why it does not run; null when it does
 */
async function refusalToRun({ workflow: { oid, id: cid } }: Stored): Promise<ApiProblem | null> {
  try {
    await client.POST('/api/orgs/{oid}/crawlconfigs/{cid}/run', { params: { path: { oid, cid } } });
    return null;
  } catch (error) {
    if (error instanceof ApiProblem) return error;
    throw error;
  }
}
