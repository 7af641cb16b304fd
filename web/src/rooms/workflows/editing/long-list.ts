import { addressesOf } from './addresses';
import type { Draft } from './draft';
import { uploadSeedFile } from './section-what';

/** Lists longer than this are stored as a file, as the API's bodies are bounded. */
const LONGEST = 500_000;

/** @throws ApiProblem */
export async function withLongListAsFile(oid: string, draft: Draft): Promise<Draft> {
  if (draft.source === 'file' || draft.addresses.length <= LONGEST) return draft;
  const content = new Blob([addressesOf(draft.addresses).join('\n')], { type: 'text/plain' });
  const seedFileId = await uploadSeedFile(oid, 'addresses.txt', content);
  return { ...draft, source: 'file', seedFileId };
}
