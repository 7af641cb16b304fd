import { createHmac, hkdfSync, scryptSync, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BackupRefused } from '../backup.errors.js';

/** A file that holds less is no key. 16 random bytes in hexadecimal are 32. */
const LEAST_BYTES = 32;
/** Also a passphrase may be in the file. Deriving takes about a tenth of a second and 32 MB, once for a run. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** The key of one target, derived from the key file. Without a part of it nothing of the target can be read. */
export class BackupKey {
  /** Key of the files. */
  readonly files: Buffer;
  private readonly names: Buffer;
  private readonly proof: Buffer;

  private constructor(master: Buffer) {
    const derive = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', master, '', `muniment backup ${purpose}`, 32));
    this.files = derive('files');
    this.names = derive('names');
    this.proof = derive('proof');
  }

  /** @param salt the target's own. @throws BackupRefused when the file is too short or missing */
  static async read(file: string, salt: Buffer): Promise<BackupKey> {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new BackupRefused(`the key file ${file} cannot be read: ${(error as Error).message}`);
    });
    const key = Buffer.from(text.trim());
    if (key.length < LEAST_BYTES)
      throw new BackupRefused(
        `the key file ${file} holds fewer than ${String(LEAST_BYTES)} characters: openssl rand -hex 32 makes a key`,
      );
    return new BackupKey(scryptSync(key, salt, 32, SCRYPT));
  }

  /** What the target keeps, so that another key is noticed at once. It tells nothing of the key. */
  get mark(): string {
    return this.proof.toString('hex');
  }

  isOf(mark: string): boolean {
    const theirs = Buffer.from(mark, 'hex');
    return theirs.length === this.proof.length && timingSafeEqual(theirs, this.proof);
  }

  /** The name of an object in the target. Its digest as a name would tell which known files are archived. */
  nameOf(sha256: string): string {
    return createHmac('sha256', this.names).update(sha256).digest('hex');
  }
}
