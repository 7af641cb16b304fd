/** Sources whose first line is asked for at a time. */
const AT_ONCE = 16;

interface Head {
  line: string;
  readonly rest: AsyncGenerator<string>;
}

/**
 * Merges sorted lines of several sources. Each source is asked for a line only when the one before it was taken, so the
 * memory is that of the sources. Leaving the loop ends them all.
 */
export async function* mergedLines(sources: readonly AsyncGenerator<string>[]): AsyncGenerator<string> {
  try {
    const heads = new Heads();
    for (let at = 0; at < sources.length; at += AT_ONCE)
      for (const head of await Promise.all(sources.slice(at, at + AT_ONCE).map(firstOf))) if (head) heads.add(head);
    for (let least = heads.least; least; least = heads.least) {
      yield least.line;
      const next = await least.rest.next();
      if (next.done) heads.dropLeast();
      else {
        least.line = next.value;
        heads.sink();
      }
    }
  } finally {
    await Promise.allSettled(sources.map((source) => source.return(undefined)));
  }
}

async function firstOf(rest: AsyncGenerator<string>): Promise<Head | null> {
  const first = await rest.next();
  return first.done ? null : { line: first.value, rest };
}

/** A binary heap of sources by their next line. */
class Heads {
  private readonly heap: Head[] = [];

  get least(): Head | undefined {
    return this.heap[0];
  }

  add(head: Head): void {
    const { heap } = this;
    let at = heap.push(head) - 1;
    for (let up = (at - 1) >> 1; at > 0 && this.isBefore(at, up); up = (at - 1) >> 1) {
      this.swap(at, up);
      at = up;
    }
  }

  dropLeast(): void {
    const last = this.heap.pop();
    if (!last || this.heap.length === 0) return;
    this.heap[0] = last;
    this.sink();
  }

  /** Puts the first one where its line belongs. */
  sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < this.heap.length && this.isBefore(left, least)) least = left;
      if (right < this.heap.length && this.isBefore(right, least)) least = right;
      if (least === at) return;
      this.swap(at, least);
      at = least;
    }
  }

  private isBefore(a: number, b: number): boolean {
    return (this.heap[a] as Head).line < (this.heap[b] as Head).line;
  }

  private swap(a: number, b: number): void {
    [this.heap[a], this.heap[b]] = [this.heap[b] as Head, this.heap[a] as Head];
  }
}
