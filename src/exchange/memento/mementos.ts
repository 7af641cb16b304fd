import { Injectable } from '@nestjs/common';
import { StorageError } from '../../storage/storage.errors.js';
import { CaptureLines, type CaptureSource } from '../cdx/capture-lines.js';
import { ArchiveUnavailable, NoCaptures } from '../exchange.errors.js';
import { capturesOfUrl } from '../rules/capture-query.js';
import { captureOf, timeOf, type Capture } from '../rules/capture.js';

/** A capture among those of its address. Times are `YYYYMMDDhhmmss`. */
export interface Chosen {
  readonly capture: Capture;
  readonly ts: string;
  readonly first: string;
  readonly last: string;
  /** Null for the first. */
  readonly before: string | null;
  /** Null for the last. */
  readonly after: string | null;
}

/** Finds the mementos of an address: its captures, one for each second. */
@Injectable()
export class Mementos {
  constructor(private readonly lines: CaptureLines) {}

  /** The capture nearest to a time. @param wantedMs null: the last @throws NoCaptures, ArchiveUnavailable */
  async closest(source: CaptureSource, url: string, wantedMs: number | null): Promise<Chosen> {
    let chosen: { capture: Capture; ts: string; before: string | null; after: string | null } | null = null;
    let [first, last]: [string | null, string | null] = [null, null];
    for await (const capture of this.of(source, url)) {
      const ts = capture.ts.slice(0, 14);
      first ??= ts;
      if (chosen && chosen.after === null) chosen.after = ts;
      if (!chosen || wantedMs === null || isNearer(capture, chosen.capture, wantedMs))
        chosen = { capture, ts, before: last, after: null };
      last = ts;
    }
    if (!chosen || first === null || last === null) throw new NoCaptures();
    return { ...chosen, first, last };
  }

  /** All captures of the address in the order of time. @throws ArchiveUnavailable */
  async *of(source: CaptureSource, url: string): AsyncGenerator<Capture> {
    let before = '';
    try {
      for await (const line of this.lines.of(source, capturesOfUrl(url))) {
        const capture = captureOf(line);
        const second = capture?.ts.slice(0, 14) ?? '';
        if (capture && second.length === 14 && second !== before) yield capture;
        before = second;
      }
    } catch (error) {
      if (error instanceof StorageError) throw new ArchiveUnavailable(error.message, { cause: error });
      throw error;
    }
  }
}

const isNearer = (one: Capture, other: Capture, wantedMs: number): boolean =>
  Math.abs(timeOf(one.ts.slice(0, 14)) - wantedMs) < Math.abs(timeOf(other.ts.slice(0, 14)) - wantedMs);
