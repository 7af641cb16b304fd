import type { Dialog } from 'playwright-core';
import { settled, unlessAborted } from '../base/time.js';
import type { BrowserWindow } from '../browser/window.js';
import type { Logger } from '../channel/logger.js';
import type { VisitTime } from './visit-time.js';

const MAX_DIALOGS = 10;
/** A page that is busy for longer than this, or than its share of the time left, will not answer by itself. */
const BUSY_MS = 30_000;
const BUSY_SHARE = 1 / 3;
/** Least time for a page to answer after its scripts were ended, ms. */
const FREED_MS = 2_000;

/** Frees a visit from a page that blocks it with dialogs or with scripts that never yield. */
export class PageHold {
  private dialogs = 0;
  /** False while the page is being read: then nothing may lead away from it. Otherwise nothing may block leaving it. */
  mayLeave = true;

  constructor(
    private readonly window: BrowserWindow,
    private readonly time: VisitTime,
    private readonly logger: Logger,
    private readonly onTooManyDialogs: () => void,
  ) {}

  async answer(dialog: Dialog): Promise<void> {
    if (dialog.type() === 'beforeunload') {
      await (this.mayLeave ? dialog.accept() : dialog.dismiss()).catch(() => undefined);
      return;
    }
    if (++this.dialogs === MAX_DIALOGS) {
      this.endScripts('Too many dialogs');
      this.onTooManyDialogs();
    }
    await dialog.dismiss().catch(() => undefined);
  }

  /**
   * Ends scripts that never yield, because such a page answers nothing and its content would be lost. Its window is not
   * used again.
   */
  async free(): Promise<void> {
    const { session, crashed } = this.window;
    const answer = session.send('Runtime.evaluate', { expression: '0' }).catch(() => undefined);
    const answering = unlessAborted(answer, crashed);
    const shareMs = () => this.time.leftMs * BUSY_SHARE;
    if ((await settled(answering, Math.min(BUSY_MS, shareMs()))) || !this.window.isUsable) return;
    this.endScripts('Page does not answer');
    await settled(answering, Math.max(FREED_MS, shareMs()));
  }

  private endScripts(why: string): void {
    const { session, page } = this.window;
    this.logger.warn('pageStatus', `${why}, its scripts are ended`, { page: page.url() });
    this.window.retire();
    void session.send('Emulation.setScriptExecutionDisabled', { value: true }).catch(() => undefined);
    void session.send('Runtime.terminateExecution').catch(() => undefined);
  }
}
