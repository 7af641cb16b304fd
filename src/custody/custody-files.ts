import { Injectable } from '@nestjs/common';
import { wireTime } from '../common/validation/date-time.js';
import { baseName } from '../common/text/base-name.js';
import type { Item } from '../items/data/item.schema.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import type { Org } from '../orgs/data/org.schema.js';
import { NoTimeStamp } from '../signing/time-stamp.js';
import { TimeStamps } from '../signing/time-stamps.js';
import { keyIdOf, SigningKeys } from '../signing/signing-keys.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { ObjectNotFound, StorageError } from '../storage/storage.errors.js';
import { storageRefToString } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';
import { openArchive } from '../wacz/object-byte-source.js';
import { packageSignature, type PackageSignature } from '../wacz/package-signature.js';
import { isSignedByKey } from '../wacz/signature.js';
import type { FileSeal } from './data/file-seal.schema.js';
import { FileSealsRepository } from './data/file-seals.repository.js';
import type { CustodyFile, CustodySignature, CustodyTimeStamp } from './dto/custody.dto.js';

/** Files that are opened for one answer. Larger crawls list the others with their record alone. */
const MOST_OPENED = 100;
const AT_ONCE = 8;

/** By id of each key of this service the name of the org that it is for; null: it is the installation's. */
type OwnKeys = ReadonlyMap<string, string | null>;

interface Looked {
  readonly found: PackageSignature | null;
  readonly problem: string | null;
}

/** Tells of each file of an item who signed it, and verifies it now. */
@Injectable()
export class CustodyFiles {
  constructor(
    private readonly seals: FileSealsRepository,
    private readonly keys: SigningKeys,
    private readonly timeStamps: TimeStamps,
    private readonly storages: Storages,
  ) {}

  async of(org: Org, { _id: itemId, files }: Pick<Item, '_id' | 'files'>): Promise<CustodyFile[]> {
    const [seals, keys] = await Promise.all([this.seals.of(org._id, itemId), this.keys.all()]);
    const ownKeys: OwnKeys = new Map(keys.map(({ _id, orgName }) => [_id, orgName ?? null]));
    const told: CustodyFile[] = [];
    for (let first = 0; first < files.length; first += AT_ONCE) {
      const some = files.slice(first, first + AT_ONCE).map(async (file, i) => {
        const looked = first + i < MOST_OPENED ? await this.look(org, file) : NOT_OPENED;
        return this.tell(file, looked, seals.get(file.filename) ?? null, ownKeys);
      });
      told.push(...(await Promise.all(some)));
    }
    return told;
  }

  private async tell(
    file: StoredFile,
    { found, problem }: Looked,
    seal: FileSeal | null,
    ownKeys: OwnKeys,
  ): Promise<CustodyFile> {
    const signature = signatureIn(found, ownKeys) ?? signatureBeside(seal, file, ownKeys);
    return {
      name: baseName(file.filename),
      size: file.size,
      sha256: file.hash,
      // Documents of other programs may say nothing of copies.
      storages: [file.storage, ...(file.replicas ?? [])].map(storageRefToString),
      software: found?.software ?? null,
      browser: found?.browser ?? null,
      signature,
      timeStamp: await this.timeStampOf(seal, signature?.signature ?? null),
      problem: problem ?? seal?.problem ?? null,
    };
  }

  private async timeStampOf(seal: FileSeal | null, signature: string | null): Promise<CustodyTimeStamp | null> {
    if (!seal?.timeStamp) return null;
    const { token, time, authority } = seal.timeStamp;
    const valid = await this.timeStamps.verified(Buffer.from(token, 'base64'), signature ?? '').then(
      (facts) => facts.time.getTime() === time.getTime(),
      (error: unknown) => {
        if (error instanceof NoTimeStamp) return false;
        throw error;
      },
    );
    return { time: wireTime(time), authority, valid, token };
  }

  private async look(org: Org, { storage, filename }: StoredFile): Promise<Looked> {
    try {
      const archive = await openArchive(this.storages.resolve(org, storage), filename);
      return { found: await packageSignature(archive), problem: null };
    } catch (error) {
      if (error instanceof ObjectNotFound) return { found: null, problem: 'The file is missing in its storage.' };
      if (error instanceof StorageError) return { found: null, problem: 'The storage did not answer.' };
      if (error instanceof UnreadableWacz) return { found: null, problem: 'The file is not a readable WACZ.' };
      throw error;
    }
  }
}

const NOT_OPENED: Looked = { found: null, problem: `Not opened: only the first ${String(MOST_OPENED)} files are.` };

function signatureIn(found: PackageSignature | null, ownKeys: OwnKeys): CustodySignature | null {
  if (!found?.check) return null;
  const { valid, domain, publicKey, created, software } = found.check;
  const keyId = publicKey === null ? null : keyIdOf(publicKey);
  const by = domain === null ? signerOf(keyId, ownKeys) : 'domain';
  return {
    ...{ by, place: 'package', valid, keyId, org: orgOf(by, keyId, ownKeys), domain, created, software },
    ...{ hash: null, signature: found.signature, publicKey },
  };
}

function signatureBeside(seal: FileSeal | null, file: StoredFile, ownKeys: OwnKeys): CustodySignature | null {
  if (!seal?.signedData) return null;
  const { hash, created, software, signature, publicKey } = seal.signedData;
  const keyId = keyIdOf(publicKey);
  const valid = hash === `sha256:${file.hash}` && isSignedByKey(publicKey, hash, signature);
  const by = signerOf(keyId, ownKeys);
  return {
    ...{ by, place: 'record', valid, keyId, org: orgOf(by, keyId, ownKeys), domain: null, created, software },
    ...{ hash, signature, publicKey },
  };
}

const signerOf = (keyId: string | null, ownKeys: OwnKeys): 'this service' | 'key' =>
  keyId !== null && ownKeys.has(keyId) ? 'this service' : 'key';

const orgOf = (by: CustodySignature['by'], keyId: string | null, ownKeys: OwnKeys): string | null =>
  by === 'this service' && keyId !== null ? (ownKeys.get(keyId) ?? null) : null;
