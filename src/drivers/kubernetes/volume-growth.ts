import type { V1PersistentVolumeClaim } from '@kubernetes/client-node';
import { quantityBytes } from '../../common/units/quantity.js';
import type { Growth } from '../containers/container-runtime.js';
import { isRefusal, messageOf, sentence, statusOf, tolerating } from './api-answers.js';
import type { NamespaceClient } from './namespace-client.js';

const GB = 1e9;
/** Number of tries. The claim's status changes while its volume grows, so a write may rest on an old version. */
const TRIES = 5;

const NOT_GROWN: Growth = { grown: false };

/**
 * Asks for a larger volume, in whole GB, where the claim asks for less. It never asks for a smaller one, even if
 * another process asks meanwhile. The storage class grows the volume, which may take longer than this call.
 */
export async function growClaim(client: NamespaceClient, name: string, bytes: number): Promise<Growth> {
  const gigabytes = Math.ceil(bytes / GB);
  for (let tries = TRIES; tries > 0; tries -= 1) {
    const claim = await readClaim(client, name);
    if (!claim) return NOT_GROWN;
    const size = claim.spec?.resources?.requests?.['storage'] ?? '';
    // A size that cannot be read is left as it is.
    if (!(gigabytes * GB > quantityBytes(size))) return { grown: waitsForPod(claim) };
    const answer = await requestSize(client, claim, `${String(gigabytes)}G`);
    if (answer === 'done') {
      const said = `The crawler's scratch volume of ${size} was full. It is grown to ${String(gigabytes)} GB, and the crawler is started again.`;
      return { grown: true, said };
    }
    if (answer !== 'outdated') {
      const said = `The crawler's scratch volume of ${size} is full and cannot be grown to ${String(gigabytes)} GB: ${sentence(answer.refusal)} The crawler goes on with the room it has.`;
      return { grown: false, said };
    }
  }
  return NOT_GROWN;
}

function readClaim(client: NamespaceClient, name: string): Promise<V1PersistentVolumeClaim | undefined> {
  return client.asked(({ core }) =>
    tolerating([404], core.readNamespacedPersistentVolumeClaim({ ...client.at, name })),
  );
}

function requestSize(
  client: NamespaceClient,
  { metadata }: V1PersistentVolumeClaim,
  size: string,
): Promise<'done' | 'outdated' | { refusal: string }> {
  const body = [
    // With the version that was read, the server refuses the patch when the claim has changed since.
    { op: 'replace', path: '/metadata/resourceVersion', value: metadata?.resourceVersion },
    { op: 'replace', path: '/spec/resources/requests/storage', value: size },
  ];
  return client.asked(async ({ core }) => {
    try {
      await core.patchNamespacedPersistentVolumeClaim({ ...client.at, name: metadata?.name ?? '', body });
      return 'done';
    } catch (error) {
      if ([404, 409].includes(statusOf(error))) return 'outdated';
      if (isRefusal(error)) return { refusal: messageOf(error) };
      throw error;
    }
  });
}

/** Whether the disk is larger already. Its file system grows when a pod mounts it. */
const waitsForPod = ({ status }: V1PersistentVolumeClaim): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'FileSystemResizePending' && value === 'True') ??
  false;
