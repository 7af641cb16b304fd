import { isStorageFull } from '../base/synced-file.js';
import { delay, errorText, settled } from '../base/time.js';
import { BrowserCrashed } from '../browser/pool.js';
import { BrowserWindow } from '../browser/window.js';
import type { CrawlStore, CrawlTools, EndCrawl } from './context.js';
import type { PageWorker } from './page-worker.js';

interface Slot {
  readonly index: number;
  window: BrowserWindow | null;
  generation: number;
  /** Windows that hang or crashed. They close once another is open: the last one would close the browser. */
  readonly stale: BrowserWindow[];
  loop: Promise<void>;
}

/** How long a stopped crawl waits for the pages in flight, and how long they have to obey. */
const FINISH_MS = 30_000;
const OBEY_MS = 10_000;

/** The browser windows. A loop in each takes pages and visits them. */
export class Windows {
  private readonly slots = new Map<number, Slot>();
  private wanted = 0;
  private stopping = false;
  private casting = false;
  private pagesSinceCheck = 0;
  private recycling = false;

  constructor(
    private readonly store: CrawlStore,
    private readonly tools: CrawlTools,
    private readonly worker: PageWorker,
    private readonly end: EndCrawl,
    /** Whether other work (sitemaps) may still bring pages. */
    private readonly mayGrow: () => boolean,
    /** Runs after each page: limits, roll-over. */
    private readonly afterPage: () => Promise<void>,
  ) {}

  get count(): number {
    return this.wanted;
  }

  /** Changes the number of windows. A surplus window closes after its page. */
  setCount(n: number): void {
    this.wanted = Math.max(1, Math.floor(n));
    for (let index = 0; index < this.wanted; index++) {
      if (this.slots.has(index)) continue;
      const slot: Slot = { index, window: null, generation: -1, stale: [], loop: Promise.resolve() };
      this.slots.set(index, slot);
      slot.loop = this.loop(slot);
    }
    this.store.changed.notify();
  }

  /** Resolves when every loop has ended. */
  async done(): Promise<void> {
    while (this.slots.size > 0) await Promise.all([...this.slots.values()].map((slot) => slot.loop));
  }

  /** Takes no further pages; pages in flight get `finishMs` to finish. */
  async stop(finishMs = FINISH_MS): Promise<void> {
    this.stopping = true;
    this.store.changed.notify();
    if (await settled(this.done(), finishMs)) return;
    for (const run of this.worker.runs) run.giveUp();
    if (await settled(this.done(), Math.min(finishMs, OBEY_MS))) return;
    await Promise.all([...this.slots.values()].map((slot) => slot.window?.close()));
    await settled(this.done(), OBEY_MS);
  }

  async cast(on: boolean): Promise<void> {
    this.casting = on;
    for (const slot of this.slots.values()) if (slot.window?.isUsable) await this.applyCast(slot.window);
  }

  private async loop(slot: Slot): Promise<void> {
    const { frontier, changed, logger } = this.store;
    while (!this.stopping && slot.index < this.wanted) {
      await this.recycleIfGrown();
      const page = this.recycling ? null : await frontier.take();
      if (!page) {
        if (frontier.isExhausted && !this.recycling && !this.mayGrow()) break;
        await changed.wait(frontier.nextTryMs());
        continue;
      }
      let window: BrowserWindow;
      try {
        window = await this.windowOf(slot);
      } catch (error) {
        await frontier.giveBack(page);
        if (error instanceof BrowserCrashed) this.end('browser_crashed');
        else logger.warn('browser', 'Window did not open', { error: errorText(error) });
        await delay(500);
        continue;
      }
      await this.visit(slot, () => this.worker.process(page, window));
      changed.notify();
    }
    await this.closeWindow(slot);
    this.slots.delete(slot.index);
    changed.notify();
  }

  private async visit(slot: Slot, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (slot.window?.isSpent) await this.closeWindow(slot);
    } catch (error) {
      if (isStorageFull(error)) return this.end('out_of_space');
      if (slot.window?.isUsable) this.store.logger.debug('worker', 'Closing window', { error: errorText(error) });
      await this.closeWindow(slot);
    }
    try {
      await this.afterPage();
      await this.checkMemory();
    } catch (error) {
      if (isStorageFull(error)) return this.end('out_of_space');
      this.store.logger.error('general', 'Crawl can not go on', { error: errorText(error) });
      this.end('error');
    }
  }

  private async windowOf(slot: Slot): Promise<BrowserWindow> {
    const browser = await this.tools.pool.ready();
    const { generation } = this.tools.pool;
    if (slot.window?.isUsable && slot.generation === generation) return slot.window;
    slot.window = await BrowserWindow.open(browser, slot.index);
    await slot.window.bypassWorkers();
    slot.generation = generation;
    for (const stale of slot.stale.splice(0)) void stale.close();
    if (this.casting) await this.applyCast(slot.window);
    return slot.window;
  }

  private async applyCast(window: BrowserWindow): Promise<void> {
    const { channel } = this.store;
    if (this.casting)
      await window.startCast('png', (frame) => channel.send({ t: 'frame', id: window.index, ...frame }));
    else await window.stopCast();
  }

  private async closeWindow(slot: Slot): Promise<void> {
    const { window } = slot;
    slot.window = null;
    if (!window) return;
    this.store.channel.send({ t: 'frameClosed', id: slot.index });
    if (slot.generation !== this.tools.pool.generation) return;
    if (this.slots.size > 1) await window.close();
    else slot.stale.push(window);
  }

  private async checkMemory(): Promise<void> {
    const limit = this.store.config.memoryLimitBytes;
    if (!limit || ++this.pagesSinceCheck % 10 !== 0) return;
    this.recycling ||= (await this.tools.memory()) > limit;
  }

  /** Restarts a browser beyond its memory limit when it has no page in flight. */
  private async recycleIfGrown(): Promise<void> {
    if (!this.recycling || this.store.frontier.busy > 0) return;
    this.recycling = false;
    this.store.logger.info('browser', 'Starting the browser anew, it has grown too large');
    await this.tools.pool.recycle();
    this.store.changed.notify();
  }
}
