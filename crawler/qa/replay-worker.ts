/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { withTimeout } from '../base/time.js';
import { COLLECTION, type ReplayServer } from './replay-server.js';

const READY_TIMEOUT_MS = 60_000;

/** Registers the replay worker in the browser and has it load the source. */
export async function startReplay(page: Page, server: ReplayServer): Promise<void> {
  await page.goto(`${server.origin}/replay/host.html`);
  await withTimeout(
    page.evaluate(addCollection, { name: COLLECTION, sourceUrl: server.sourceUrl }),
    READY_TIMEOUT_MS,
    'replay worker',
  );
}

/** Runs in the host page. Resolves when the worker reports that it has the collection. */
async function addCollection({ name, sourceUrl }: { name: string; sourceUrl: string }): Promise<void> {
  await navigator.serviceWorker.register('/replay/sw.js', { scope: '/replay/' });
  const { active } = await navigator.serviceWorker.ready;
  await new Promise<void>((resolve, reject) => {
    navigator.serviceWorker.addEventListener(
      'message',
      ({ data }: MessageEvent<{ msg_type?: string; err?: unknown }>) => {
        if (data.msg_type === 'collAdded') resolve();
        if (data.msg_type === 'collProgress' && data.err) reject(new Error(String(data.err)));
      },
    );
    navigator.serviceWorker.startMessages();
    active?.postMessage({ msg_type: 'addColl', name, skipExisting: false, file: { sourceUrl } });
  });
}
