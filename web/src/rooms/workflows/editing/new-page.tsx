import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { api, client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrg, useOrgRecord } from '../../../session/me';
import { Page } from '../../../ui/page';
import { Empty, Loading, notifyDone, Problem } from '../../../ui/problems';
import { forgetWorkflows } from '../workflow-queries';
import { bodyOf } from './body';
import { asCopy, draftOf, newDraft, type Draft } from './draft';
import { Editor } from './editor';
import { editingTexts } from './editing.texts';
import { notifyNotStarted } from './field-errors';
import { withLongListAsFile } from './long-list';
import { useStoredOnce } from './workflow-data';

const route = getRouteApi('/member/o/$slug/workflows/new');

/** A new workflow: with the org's defaults, or as a copy of another one. */
export function NewWorkflowPage() {
  const say = useTexts(editingTexts);
  const org = useOrg();
  // Whoever loses the role in the middle of an edit is told so by the API, and keeps what is typed.
  const [mayEdit] = useState(org.canCrawl);
  const navigate = useNavigate();
  const { from, url } = route.useSearch();
  const record = useOrgRecord();
  const { data: settings } = api.useQuery('get', '/api/settings', {}, { staleTime: 600_000 });
  const source = useStoredOnce(org.oid, from);
  const isReady = record !== undefined && settings !== undefined && (from === undefined || source.data !== undefined);
  const initial = useMemo((): Draft | null => {
    if (!isReady) return null;
    if (source.data) {
      const { workflow, seeds } = source.data;
      const name = workflow.name || workflow.firstSeed || '';
      return asCopy(draftOf(workflow, seeds).draft, say('copyOf', { name }));
    }
    return { ...newDraft(record.crawlingDefaults, settings.numBrowsersPerInstance), addresses: url ?? '' };
    // What is typed must not be lost when the org's record is read anew.
  }, [isReady, source.data]);

  const save = async (draft: Draft, isRun: boolean): Promise<boolean> => {
    const sent = await withLongListAsFile(org.oid, draft);
    const { data } = await client.POST('/api/orgs/{oid}/crawlconfigs/', {
      params: { path: { oid: org.oid } },
      body: { ...bodyOf(sent), runNow: isRun },
    });
    if (!data) return false;
    await forgetWorkflows();
    if (isRun && !data.run_now_job) notifyNotStarted(data.errorDetail ?? '');
    else notifyDone(say(isRun ? 'createdAndRun' : 'created'));
    await navigate({ to: `/o/${org.slug}/workflows/${data.id}` });
    return true;
  };
  const back = { to: `/o/${org.slug}/workflows`, label: say('workflows') };
  return (
    <Page title={say(from ? 'titleCopy' : 'titleNew')} back={back}>
      {!mayEdit ? (
        <Empty title={say('forCrawlers')}>{say('forCrawlersText')}</Empty>
      ) : source.error ? (
        <Problem error={source.error} />
      ) : initial ? (
        <Editor
          oid={org.oid}
          initial={initial}
          save={save}
          leave={() => void navigate({ to: back.to })}
          isStartable={!record?.readOnly}
        />
      ) : (
        <Loading />
      )}
    </Page>
  );
}
