import { StringDecoder } from 'node:string_decoder';

/** The text is no export: it is not JSON, is cut off or has another shape. */
export class NotAnExport extends Error {}

/** One value of `data`: a whole plain member, or one element of a list. */
export interface Section {
  readonly name: string;
  /** Position in the list; null for a plain member. */
  readonly index: number | null;
  readonly value: unknown;
}

/**
 * The longest text of one value. A document of the database has at most 16 MB, and its text may be a few times longer.
 */
const MAX_VALUE_CHARS = 64 * 1024 * 1024;

type At =
  'root-start' | 'root-key' | 'data-start' | 'key' | 'value' | 'element' | 'after-element' | 'after-value' | 'end';

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const COMMA = 44;
const COLON = 58;

/**
 * Reads `{"data": {name: value | [element, …], …}}` piece by piece. It holds at most one element as a value. `push`
 * takes text; `end` checks that the document is complete.
 */
class SectionScanner {
  private at: At = 'root-start';
  private text = '';
  private position = 0;
  private name = '';
  private index = 0;

  *push(more: string): Generator<Section> {
    this.text = this.text.slice(this.position) + more;
    this.position = 0;
    for (;;) {
      this.skipSpace();
      if (this.position >= this.text.length) return;
      const before = this.position;
      const state = this.at;
      const section = this.step();
      if (section) yield section;
      if (this.position === before && this.at === state) break;
    }
    if (this.text.length - this.position > MAX_VALUE_CHARS) throw new NotAnExport('a value is too large');
  }

  end(): void {
    if (this.at !== 'end') throw new NotAnExport('the document ends too early');
  }

  /** Takes one token or one value if all of its text is there; otherwise it changes nothing. */
  private step(): Section | null {
    switch (this.at) {
      case 'root-start':
        return this.take(OPEN_BRACE, 'root-key');
      case 'root-key': {
        const key = this.key();
        if (key === null) return null;
        if (key !== 'data') throw new NotAnExport(`unexpected "${key}"`);
        this.at = 'data-start';
        return null;
      }
      case 'data-start':
        return this.take(OPEN_BRACE, 'key');
      case 'key': {
        const key = this.key();
        if (key === null) return null;
        this.name = key;
        this.at = 'value';
        return null;
      }
      case 'value':
        if (this.peek() === OPEN_LIST) {
          this.position += 1;
          this.index = 0;
          this.at = 'element';
          return null;
        }
        return this.value('after-value', null);
      case 'element':
        if (this.index === 0 && this.peek() === CLOSE_LIST) return this.take(CLOSE_LIST, 'after-value');
        return this.value('after-element', this.index);
      case 'after-element':
        if (this.peek() === CLOSE_LIST) return this.take(CLOSE_LIST, 'after-value');
        this.index += 1;
        return this.take(COMMA, 'element');
      case 'after-value':
        if (this.peek() === COMMA) return this.take(COMMA, 'key');
        return this.closeData();
      case 'end':
        throw new NotAnExport('text after the end');
    }
  }

  private closeData(): null {
    const rest = /^\}\s*(\})?/.exec(this.text.slice(this.position, this.position + 1000));
    if (!rest) throw new NotAnExport('a comma or brace is missing');
    if (!rest[1]) return null;
    this.position += rest[0].length;
    this.at = 'end';
    return null;
  }

  private take(code: number, next: At): null {
    if (this.peek() !== code) throw new NotAnExport(`expected "${String.fromCharCode(code)}"`);
    this.position += 1;
    this.at = next;
    return null;
  }

  private peek(): number {
    return this.text.charCodeAt(this.position);
  }

  private skipSpace(): void {
    while (this.position < this.text.length && isSpace(this.peek())) this.position += 1;
  }

  /** Takes a key with its colon. @returns null while part of it is missing */
  private key(): string | null {
    if (this.peek() !== QUOTE) throw new NotAnExport('expected a name');
    const end = this.endOfString(this.position);
    if (end < 0) return null;
    let colon = end;
    while (colon < this.text.length && isSpace(this.text.charCodeAt(colon))) colon += 1;
    if (colon >= this.text.length) return null;
    if (this.text.charCodeAt(colon) !== COLON) throw new NotAnExport('expected ":"');
    const key = parse(this.text.slice(this.position, end)) as string;
    this.position = colon + 1;
    return key;
  }

  private value(next: At, index: number | null): Section | null {
    const end = this.endOfValue();
    if (end < 0) return null;
    const value = parse(this.text.slice(this.position, end));
    this.position = end;
    this.at = next;
    return { name: this.name, index, value };
  }

  /** Returns the position behind the string that starts here, or -1 when its end is missing. */
  private endOfString(start: number): number {
    for (let at = start + 1; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) return at + 1;
    }
    return -1;
  }

  private endOfValue(): number {
    let depth = 0;
    for (let at = this.position; at < this.text.length; at++) {
      const code = this.text.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.endOfString(at);
        if (end < 0) return -1;
        if (depth === 0) return end;
        at = end - 1;
      } else if (code === OPEN_BRACE || code === OPEN_LIST) depth += 1;
      else if (code === CLOSE_BRACE || code === CLOSE_LIST) {
        if (depth === 0) return at;
        depth -= 1;
        if (depth === 0) return at + 1;
      } else if (depth === 0 && (code === COMMA || isSpace(code))) return at;
    }
    return -1;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NotAnExport('a value is no JSON', { cause: error });
  }
}

/** Yields the sections of an export as they arrive. @throws NotAnExport */
export async function* readSections(chunks: AsyncIterable<Buffer>): AsyncGenerator<Section> {
  const decoder = new StringDecoder('utf8');
  const scanner = new SectionScanner();
  for await (const chunk of chunks) yield* scanner.push(decoder.write(chunk));
  yield* scanner.push(decoder.end());
  scanner.end();
}
