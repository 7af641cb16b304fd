import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { useOrgRecord } from '../../session/me';
import { isActive, isPaused } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { useLimits, type Crawl, type Workflow } from './queries';

type Word = keyof typeof crawlsTexts.english;
const wordOf = (word: string): Word | null => (word in crawlsTexts.english ? (word as Word) : null);

interface Why {
  /** What happens now, or how the crawl ended. */
  readonly now: string;
  /** What would end a wait. */
  readonly end: string | null;
  /** What the service knows beyond that, in its own words. */
  readonly detail: string | null;
}

/** Why a crawl is in its state, in the person's words. */
export function useWhy(crawl: Crawl, workflow: Workflow): Why {
  const say = useTexts(crawlsTexts);
  const intl = useIntl();
  const limits = useLimits();
  const org = useOrgRecord();
  const { state } = crawl;
  const key = wordOf(`now_${state}`);
  const endKey = wordOf(`end_${state}`);
  const plain = { now: key ? say(key) : state.replace(/[_-]/g, ' '), end: endKey ? say(endKey) : null, detail: null };
  if (isActive(state) && crawl.stopping) return { ...plain, now: say('willStop'), end: null };
  if (isPaused(state)) {
    if (crawl.shouldPause === false) return { ...plain, now: say('willResume'), end: null };
    const until = workflow.lastCrawlPausedExpiry;
    if (!until) return plain;
    const when = intl.formatDate(until, { dateStyle: 'medium', timeStyle: 'short' });
    return { ...plain, end: `${plain.end ?? ''} ${say('end_pausedUntil', { when })}`.trim() };
  }
  if (isActive(state) && crawl.shouldPause) return { ...plain, now: say('willPause'), end: null };
  if (state === 'rate-limited' && limits?.rateLimitDurationMinutes)
    return { ...plain, end: say('now_rate-limited_until', { minutes: limits.rateLimitDurationMinutes }) };
  const max = org?.quotas?.maxConcurrentCrawls ?? 0;
  if (state === 'waiting_org_limit' && max > 0) return { ...plain, now: say('now_waiting_org_limit_of', { max }) };
  if (state === 'waiting_capacity' && crawl.stateReason)
    return { ...plain, detail: say('serviceSays', { reason: crawl.stateReason }) };
  return plain;
}
