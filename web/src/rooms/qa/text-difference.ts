/** A run of lines that both texts have, that only the crawl's has, or that only the replay's has. */
export interface Piece {
  readonly kind: 'same' | 'crawl' | 'qa';
  readonly lines: readonly string[];
}

/** Longer middles are shown as replaced as a whole: the table of the comparison grows with the square. */
const MOST_CELLS = 4_000_000;

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What tells two texts apart, line by line, by their longest common subsequence. */
export function differenceOf(crawl: string, qa: string): Piece[] {
  const [a, b] = [linesOf(crawl), linesOf(qa)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return joined([
    { kind: 'same', lines: a.slice(0, start) },
    ...middle,
    { kind: 'same', lines: a.slice(a.length - end) },
  ]);
}

function compare(a: readonly string[], b: readonly string[]): Piece[] {
  if (a.length * b.length > MOST_CELLS || a.length === 0 || b.length === 0)
    return [
      { kind: 'crawl', lines: a },
      { kind: 'qa', lines: b },
    ];
  const width = b.length + 1;
  const length = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      pieces.push({ kind: 'same', lines: [a[i] ?? ''] });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      pieces.push({ kind: 'crawl', lines: [a[i++] ?? ''] });
    else pieces.push({ kind: 'qa', lines: [b[j++] ?? ''] });
  }
  return pieces;
}

function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    if (piece.lines.length === 0) continue;
    const last = result.at(-1);
    if (last?.kind === piece.kind) result[result.length - 1] = { ...last, lines: [...last.lines, ...piece.lines] };
    else result.push(piece);
  }
  return result;
}
