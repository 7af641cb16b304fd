import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrg, useOrgRecord } from '../../../session/me';
import { Page } from '../../../ui/page';
import { Loading, notifyDone, Problem } from '../../../ui/problems';
import { forgetWorkflows } from '../workflow-queries';
import { bodyOf, changesOf, keysOf } from './body';
import { conflictOf, useConflictQuestion } from './conflict';
import { draftOf, type Draft } from './draft';
import { Editor } from './editor';
import { editingTexts } from './editing.texts';
import { withLongListAsFile } from './long-list';
import { useStoredOnce } from './workflow-data';

const route = getRouteApi('/member/o/$slug/workflows/$id/edit');

/** The settings of a workflow, to change. */
export function EditWorkflowPage() {
  const say = useTexts(editingTexts);
  const org = useOrg();
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
    const conflict = await conflictOf(stored.data, loaded, keysOf(changes));
    const decision = conflict ? await askAboutConflict(conflict) : 'keep';
    if (decision === 'theirs') await stored.refetch();
    if (decision !== 'keep') return false;
    const isRunning = (conflict?.theirs ?? stored.data).workflow.isCrawlRunning ?? false;
    await client.PATCH('/api/orgs/{oid}/crawlconfigs/{cid}', {
      params: { path: { oid: org.oid, cid: id } },
      body: { ...changes, runNow: isRun && !isRunning, updateRunning: isRunning } as never,
    });
    await forgetWorkflows();
    notifyDone(say(isRun && !isRunning ? 'savedAndRun' : isRunning ? 'savedRunning' : 'saved'));
    await navigate({ to: page });
    return true;
  };
  const name = stored.data?.workflow.name || stored.data?.workflow.firstSeed || '';
  return (
    <Page title={say('titleEdit')} back={{ to: page, label: name || say('workflow') }}>
      {conflictDialog}
      {stored.error ? (
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
