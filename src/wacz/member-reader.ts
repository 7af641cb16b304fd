import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { ObjectNotFound } from '../storage/storage.errors.js';
import { MemberUnavailable } from './wacz.errors.js';

/** Opens a member at an offset; the stream ends with the member. */
export type MemberReader = (start: number, signal?: AbortSignal) => Promise<Readable>;

/** 5 tries per member, 2 s apart, counted anew after progress. Contract: archive.md §1, constants. */
const TRIES = 5;
const WAIT_MS = 2_000;

interface Member {
  readonly name: string;
  readonly open: MemberReader;
}

/**
 * The bytes `from` (inclusive) to `to` (exclusive) of a member. A read that fails midway continues at the next byte.
 * Five failures without a byte in between end it.
 * @throws MemberUnavailable
 */
export async function* readMember(
  member: Member,
  { from, to }: { from: number; to: number },
  signal?: AbortSignal,
  waitMs = WAIT_MS,
): AsyncGenerator<Buffer> {
  let position = from;
  let failures = 0;
  while (position < to) {
    let body: Readable | undefined;
    try {
      body = await member.open(position, signal);
      for await (const chunk of body as AsyncIterable<Buffer>) {
        const wanted = chunk.subarray(0, to - position);
        position += wanted.length;
        failures = 0;
        yield wanted;
        if (position >= to) return;
      }
      throw new Error(`${member.name} ended at ${position} of ${to} bytes`);
    } catch (error) {
      signal?.throwIfAborted();
      failures += 1;
      if (failures >= TRIES || error instanceof ObjectNotFound)
        throw new MemberUnavailable(member.name, { cause: error });
      await sleep(waitMs, undefined, { signal });
    } finally {
      body?.destroy();
    }
  }
}
