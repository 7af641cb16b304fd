import { Worker } from 'node:worker_threads';
import type { CompareAnswer, CompareRequest } from './compare-worker.js';

/** Compares screenshots and texts in a separate thread, because both would delay the pages in flight. */
export class Comparer {
  private readonly worker = new Worker(new URL('./compare-worker.js', import.meta.url));
  private readonly waiting = new Map<number, (answer: CompareAnswer) => void>();
  private last = 0;

  constructor() {
    this.worker.on('message', (answer: CompareAnswer) => {
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
    // Without the thread nothing can be compared; the pages go on without figures.
    this.worker.on('error', () => this.giveUp());
    this.worker.on('exit', () => this.giveUp());
  }

  compare(request: Omit<CompareRequest, 'id'>): Promise<CompareAnswer> {
    const id = ++this.last;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.worker.postMessage({ id, ...request });
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private giveUp(): void {
    for (const [id, resolve] of this.waiting) resolve({ id });
    this.waiting.clear();
  }
}
