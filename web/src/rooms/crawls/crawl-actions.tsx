import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { isActive, isPaused } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { useReadAgain, type Workflow } from './queries';

/** Starts the workflow, or steers its crawl. */
export function CrawlActions({ workflow }: { readonly workflow: Workflow }) {
  const say = useTexts(crawlsTexts);
  const { doing, run, pause, resume, stop, cancel } = useSteering(workflow);
  const state = workflow.lastCrawlState;
  if (!isActive(state))
    return (
      <Button
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={doing === 'run'}
        disabled={Boolean(workflow.inactive)}
        onClick={() => void run()}
      >
        {say('runNow')}
      </Button>
    );
  const isStopping = Boolean(workflow.lastCrawlStopping);
  const isWaitingToPause = Boolean(workflow.lastCrawlShouldPause) && !isPaused(state);
  return (
    <>
      {isPaused(state) ? (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={doing === 'resume'}
          disabled={workflow.lastCrawlShouldPause === false}
          onClick={() => void resume()}
        >
          {say('resume')}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} aria-hidden />}
          loading={doing === 'pause'}
          disabled={isStopping || isWaitingToPause}
          onClick={() => void pause()}
        >
          {say('pause')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        loading={doing === 'stop'}
        disabled={isStopping}
        onClick={() => void stop()}
      >
        {say('stop')}
      </Button>
      <Button
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={doing === 'cancel'}
        onClick={() => void cancel()}
      >
        {say('cancelCrawl')}
      </Button>
    </>
  );
}

type Step = 'run' | 'pause' | 'resume' | 'stop' | 'cancel';

function useSteering(workflow: Workflow) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const ask = useConfirm();
  const readAgain = useReadAgain();
  const [doing, setDoing] = useState<Step | null>(null);
  const path = { oid, crawl_id: workflow.lastCrawlId ?? '' };
  const attempt = async (step: Step, request: () => Promise<unknown>, done: string): Promise<void> => {
    setDoing(step);
    try {
      await request();
      notifyDone(done);
    } catch (error) {
      notifyProblem(error);
    } finally {
      await readAgain();
      setDoing(null);
    }
  };
  return {
    doing,
    run: () =>
      attempt(
        'run',
        () => client.POST('/api/orgs/{oid}/crawlconfigs/{cid}/run', { params: { path: { oid, cid: workflow.id } } }),
        say('started'),
      ),
    pause: () =>
      attempt(
        'pause',
        () => client.POST('/api/orgs/{oid}/crawls/{crawl_id}/pause', { params: { path } }),
        say('pausing'),
      ),
    resume: () =>
      attempt(
        'resume',
        () => client.POST('/api/orgs/{oid}/crawls/{crawl_id}/resume', { params: { path } }),
        say('resuming'),
      ),
    stop: async () => {
      if (!(await ask({ title: say('stopTitle'), text: say('stopText'), action: say('stop') }))) return;
      await attempt(
        'stop',
        () => client.POST('/api/orgs/{oid}/crawls/{crawl_id}/stop', { params: { path } }),
        say('stopped'),
      );
    },
    cancel: async () => {
      const question = { title: say('cancelTitle'), text: say('cancelText'), action: say('cancelCrawl') };
      if (!(await ask({ ...question, isDestructive: true }))) return;
      await attempt(
        'cancel',
        () => client.POST('/api/orgs/{oid}/crawls/{crawl_id}/cancel', { params: { path } }),
        say('cancelled'),
      );
    },
  };
}
