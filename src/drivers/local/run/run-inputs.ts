import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { WORK_FILES } from '../../../../crawler/protocol.js';
import type { ObjectStore } from '../../../storage/object-store.js';
import type { WorkDir } from '../work-dir.js';

/** Greatest size of a seed file in bytes (crawling §4.13). */
const MAX_SEED_FILE_BYTES = 25_000_000;
const FETCH_TIMEOUT_MS = 60_000;

/** Something that a child needs in its directory is unavailable. The message is for the user's error log. */
export class RunInputUnavailable extends Error {}

/** Puts the browser profile into the directory unless it is there already. @throws RunInputUnavailable */
export async function placeProfile(dir: WorkDir, store: ObjectStore, key: string): Promise<void> {
  if (await dir.exists(WORK_FILES.profileArchive)) return;
  try {
    const { body } = await store.get(key);
    await dir.write(WORK_FILES.profileArchive, body);
  } catch (error) {
    if (isOutOfSpace(error)) throw error;
    throw new RunInputUnavailable('The browser profile could not be read from the object store', { cause: error });
  }
}

/** Puts the seed file into the directory unless it is there already. @throws RunInputUnavailable */
export async function placeSeedFile(dir: WorkDir, url: string, isGuarded: boolean): Promise<void> {
  if (await dir.exists(WORK_FILES.seedFile)) return;
  try {
    const { fetchStored } = await import('../../../../formats/address/stored-file.js');
    const response = await fetchStored(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), isGuarded });
    if (!response.ok || !response.body) throw new Error(`status ${String(response.status)}`);
    await dir.write(
      WORK_FILES.seedFile,
      Readable.from(limited(Readable.fromWeb(response.body as ReadableStream<Uint8Array>))),
    );
  } catch (error) {
    if (isOutOfSpace(error)) throw error;
    throw new RunInputUnavailable('The seed file could not be read', { cause: error });
  }
}

export function isOutOfSpace(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

async function* limited(body: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_SEED_FILE_BYTES) throw new Error('the seed file is too large');
    yield chunk as Buffer;
  }
}
