import { defaultOptions, Upload, type PreviousUpload } from 'tus-js-client';
import { credentials } from '../../api/client';

/** An upload that a closed or crashed browser left behind. What was sent of it waits at the service. */
export interface Interrupted {
  readonly key: string;
  readonly filename: string;
  readonly name: string;
  /** The upload in whose place it comes; '' for a new item. */
  readonly replaceId: string;
  readonly size: number;
  readonly sent: number;
  readonly address: string;
  readonly since: string;
}

const prefixOf = (oid: string): string => `muniment:${oid}:`;

/** By what a file is known again, and what it is for: browsers tell no path. @param replaceId '' for a new item */
export const fingerprintOf = (oid: string, file: File, replaceId: string): string =>
  `${prefixOf(oid)}${String(file.size)}:${String(file.lastModified)}:${file.name}${replaceId && `:${replaceId}`}`;

const storage = defaultOptions.urlStorage;

const isOf = (oid: string, upload: PreviousUpload): boolean => upload.urlStorageKey.startsWith(`tus::${prefixOf(oid)}`);

/** Whether a file was begun before. It goes on then, with the name and tags that were given at first. */
export async function isBegun(oid: string, file: File, replaceId = ''): Promise<boolean> {
  return (await storage.findUploadsByFingerprint(fingerprintOf(oid, file, replaceId))).length > 0;
}

/** Uploads of this browser that can go on; those that the service has no more are forgotten. */
export async function readInterrupted(oid: string): Promise<Interrupted[]> {
  const kept = (await storage.findAllUploads()).filter((upload) => isOf(oid, upload));
  const found = await Promise.all(kept.map(readOne));
  return found.filter((one) => one !== null).sort((a, b) => b.since.localeCompare(a.since));
}

async function readOne(upload: PreviousUpload): Promise<Interrupted | null> {
  const address = upload.uploadUrl ?? '';
  const response = await fetch(address, { method: 'HEAD', headers: headers() });
  if (response.status === 404 || response.status === 410) {
    await storage.removeUpload(upload.urlStorageKey);
    return null;
  }
  if (response.status === 401) credentials.refused();
  return {
    key: upload.urlStorageKey,
    filename: upload.metadata['filename'] ?? '',
    name: upload.metadata['name'] ?? '',
    replaceId: upload.metadata['replaceId'] ?? '',
    size: upload.size ?? 0,
    sent: Number(response.headers.get('Upload-Offset') ?? 0),
    address,
    since: new Date(upload.creationTime).toISOString(),
  };
}

/** Lets the browser and the service forget an upload. */
export async function discard({ key, address }: Interrupted): Promise<void> {
  await Upload.terminate(address, { headers: { Authorization: headers()['Authorization'] } }).catch(() => undefined);
  await storage.removeUpload(key);
}

const headers = (): { 'Tus-Resumable': string; Authorization: string } => ({
  'Tus-Resumable': '1.0.0',
  Authorization: `Bearer ${credentials.token() ?? ''}`,
});
