import { Badge, Loader } from '@mantine/core';
import { useTexts } from '../i18n/texts';
import { uiTexts } from './ui.texts';

const RUNNING = new Set([
  'running',
  'rate-limited',
  'pending-wait',
  'generate-wacz',
  'uploading-wacz',
  'starting',
  'processing-upload',
]);

/** Whether a crawl in this state has not ended: it runs, waits or is paused (web-client §11.2). */
export const isActive = (state: string | null | undefined): boolean =>
  state != null && (RUNNING.has(state) || state.startsWith('waiting') || state.startsWith('paused'));
export const isPaused = (state: string | null | undefined): boolean => state?.startsWith('paused') ?? false;

function colorOf(state: string): string {
  if (RUNNING.has(state)) return 'blue';
  if (state.startsWith('waiting')) return 'violet';
  if (state.startsWith('paused')) return 'yellow';
  if (state === 'complete') return 'green';
  if (state.startsWith('stopped')) return 'teal';
  if (state.startsWith('failed')) return 'red';
  return 'gray';
}

/** A state of a crawl, a QA run or an upload, in words. */
export function StateBadge({ state }: { readonly state: string | null | undefined }) {
  const say = useTexts(uiTexts);
  if (!state) return <Badge variant="default">{say('unknown')}</Badge>;
  const key = `state_${state}`;
  const text = key in uiTexts.english ? say(key as 'state_running') : state.replace(/[_-]/g, ' ');
  return (
    <Badge
      variant="light"
      color={colorOf(state)}
      tt="none"
      fw={500}
      style={{ flexShrink: 0 }}
      leftSection={RUNNING.has(state) ? <Loader size={10} color={colorOf(state)} aria-hidden /> : undefined}
    >
      {text}
    </Badge>
  );
}
