/// <reference lib="dom" />
import type { BrowserContext, Page, Request } from 'playwright-core';
import { delay } from '../base/time.js';
import { inFrames } from './frames.js';

/** Name under which a window keeps the workers that its page asked for. */
const HELD = '__heldWorkers';
/** A worker without requests for this long is done, ms. */
const QUIET_MS = 2_000;
const POLL_MS = 100;

interface Held {
  readonly asked: { script: string; options?: RegistrationOptions }[];
  readonly register: ServiceWorkerContainer['register'];
  caches: string[];
  readonly registrations: ServiceWorkerRegistration[];
}

/**
 * The service workers of a crawl's pages. A page is visited without its workers, as it will be replayed. Resources that
 * a worker loads when it starts are archived too: it runs once in a crawl, after the page has been read.
 */
export class ServiceWorkers {
  private readonly begun = new Set<string>();

  /** Keeps workers from starting and notes which ones pages ask for. */
  async hold(context: BrowserContext): Promise<void> {
    await context.addInitScript(holdWorkers, HELD);
  }

  /** Runs the workers that no page asked for before, until their requests are answered. */
  async run(page: Page, mostMs: number, signal: AbortSignal): Promise<void> {
    const scripts = (await inFrames(page, askedWorkers, HELD, mostMs)).flat();
    const fresh = scripts.filter((script) => !this.begun.has(script));
    if (fresh.length === 0 || mostMs <= 0) return;
    fresh.forEach((script) => this.begun.add(script));
    const until = Date.now() + mostMs;
    const requests = new WorkerRequests(page.context());
    try {
      await inFrames(page, runWorkers, { name: HELD, scripts: fresh, mostMs }, mostMs + QUIET_MS);
      while (requests.idleMs < QUIET_MS && Date.now() < until && !signal.aborted) await delay(POLL_MS, signal);
    } finally {
      requests.stop();
      await inFrames(page, endWorkers, HELD, QUIET_MS);
    }
  }
}

/** The requests of service workers. */
class WorkerRequests {
  private readonly open = new Set<Request>();
  private lastChange = Date.now();
  readonly stop: () => void;

  constructor(context: BrowserContext) {
    const started = (request: Request) => this.note(request, () => this.open.add(request));
    const ended = (request: Request) => this.note(request, () => this.open.delete(request));
    context.on('request', started).on('requestfinished', ended).on('requestfailed', ended);
    this.stop = () => {
      context.off('request', started).off('requestfinished', ended).off('requestfailed', ended);
    };
  }

  /** Milliseconds since a request last began or was answered; 0 while one is open. */
  get idleMs(): number {
    return this.open.size > 0 ? 0 : Date.now() - this.lastChange;
  }

  private note(request: Request, change: () => void): void {
    if (request.serviceWorker() === null) return;
    change();
    this.lastChange = Date.now();
  }
}

/** Runs in each document before its own scripts. */
function holdWorkers(name: string): void {
  // A frame without an origin of its own has the origin "null", where reading the container throws.
  const container =
    self.origin === 'null' ? undefined : (navigator.serviceWorker as ServiceWorkerContainer | undefined);
  if (!container) return;
  const asked: Held['asked'] = [];
  const held: Held = { asked, register: container.register.bind(container), caches: [], registrations: [] };
  Object.defineProperty(window, name, { value: held });
  const hold = (script: string | URL, options?: RegistrationOptions): Promise<void> => {
    const url = new URL(String(script), document.baseURI).href;
    if (asked.length < 10) asked.push({ script: url, ...(options ? { options } : {}) });
    return Promise.resolve();
  };
  container.register = hold as never;
}

/** Runs in the page. */
function askedWorkers(name: string): string[] {
  const held = (window as unknown as Record<string, Held | undefined>)[name];
  return held?.asked.map(({ script }) => script) ?? [];
}

/** Runs in the page. Resolves when the workers are active or were refused. */
async function runWorkers(about: { name: string; scripts: string[]; mostMs: number }): Promise<void> {
  const held = (window as unknown as Record<string, Held | undefined>)[about.name];
  const wanted = held?.asked.filter(({ script }) => about.scripts.includes(script)) ?? [];
  if (!held || wanted.length === 0) return;
  held.caches = await caches.keys();
  const active = (registration: ServiceWorkerRegistration) =>
    new Promise<void>((resolve) => {
      const worker = registration.installing ?? registration.waiting ?? registration.active;
      const look = () => {
        if (!worker || worker.state === 'activated' || worker.state === 'redundant') resolve();
      };
      worker?.addEventListener('statechange', look);
      look();
    });
  const running = wanted.map(async ({ script, options }) => {
    const registration = await held.register(script, options);
    held.registrations.push(registration);
    await active(registration);
  });
  const late = new Promise((resolve) => setTimeout(resolve, about.mostMs));
  await Promise.race([Promise.allSettled(running), late]);
}

/** Runs in the page. Removes the workers and their stored data, so that later pages do not meet them. */
async function endWorkers(name: string): Promise<void> {
  const held = (window as unknown as Record<string, Held | undefined>)[name];
  if (!held || held.registrations.length === 0) return;
  await Promise.all(held.registrations.map((registration) => registration.unregister()));
  const made = (await caches.keys()).filter((key) => !held.caches.includes(key));
  await Promise.all(made.map((key) => caches.delete(key)));
}
