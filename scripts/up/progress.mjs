const BAR_WIDTH = 24;
/** Without a terminal a line is printed when something changed, and not more often than this. */
const PLAIN_EVERY_MS = 5_000;

/** One line that is drawn over itself on a terminal and printed now and then elsewhere. */
export class ProgressLine {
  #stream;
  #last = '';
  #printedAt = -Infinity;
  #state = '';

  /** @param {import('node:tty').WriteStream} stream */
  constructor(stream) {
    this.#stream = stream;
  }

  /** @param {{state: string, found: number, done: number, sizeBytes: number}} counts */
  show(counts) {
    const line = progressText(counts);
    if (line === this.#last) return;
    if (this.#stream.isTTY) {
      this.#stream.write(`\r\x1b[K${line.slice(0, this.#stream.columns || 80)}`);
    } else {
      const now = performance.now();
      if (counts.state === this.#state && now - this.#printedAt < PLAIN_EVERY_MS) return;
      this.#printedAt = now;
      this.#stream.write(`${line}\n`);
    }
    this.#state = counts.state;
    this.#last = line;
  }

  end() {
    if (this.#stream.isTTY && this.#last) this.#stream.write('\n');
  }
}

/** `[######------] 6/12 pages  1.4 MB  running` */
export function progressText({ state, found, done, sizeBytes }) {
  const filled = found > 0 ? Math.round((Math.min(done, found) / found) * BAR_WIDTH) : 0;
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_WIDTH - filled);
  return `[${bar}] ${done}/${found} pages  ${readableBytes(sizeBytes)}  ${state}`;
}

function readableBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes > 0 ? Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1) : 0;
  return `${(bytes / 1000 ** power).toFixed(power > 0 ? 1 : 0)} ${units[power]}`;
}
