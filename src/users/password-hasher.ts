import { availableParallelism } from 'node:os';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { invalid } from '../common/errors/domain-error.js';
import { AppConfig } from '../config/app-config.js';

/** Most bytes that bcrypt takes; the reference hashed longer passwords by their first 72 (D3). */
const MAX_BYTES = 72;
/**
 * Concurrent hashes. One of the four threads of Node's pool is left for files. More hashes than cores are no faster and
 * block the event loop.
 */
const AT_ONCE = Math.min(3, availableParallelism());
const BCRYPT = /^\$2([abxy])\$(\d\d)\$[./A-Za-z0-9]{53}$/;
/** Salt and hash of a password that nobody has. Verifying it makes unknown addresses take as long as known ones. */
const NOBODYS = 'WiEp.qfYLcFe5xOCTXhMmeaqi351zGAwY8gXyVTFc8va7ChXhgAP2';

/** The password is too short or too long. Contract: accounts §2.2. */
export class InvalidPassword extends invalid('invalid_password') {}

/** @throws InvalidPassword unless it has 8 to 64 code points */
export function assertPassword(password: string): void {
  const length = [...password].length;
  if (length < 8 || length > 64) throw new InvalidPassword();
}

const ALPHABET = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A hash that no password is known to have, in the form of others; it costs nothing to make. */
export const hashOfNoPassword = (): string =>
  `$2b$12$${[...randomBytes(53)].map((byte) => ALPHABET[byte % 64]).join('')}`;

const firstBytes = (password: string): Buffer => Buffer.from(password, 'utf8').subarray(0, MAX_BYTES);

/** Runs bcrypt on the thread pool, off the event loop. */
@Injectable()
export class PasswordHasher {
  private readonly inTurn = pLimit(AT_ONCE);
  /** Of new hashes. */
  private readonly cost: number;

  constructor({ auth }: AppConfig) {
    this.cost = auth.passwordHashCost;
  }

  hash(password: string): Promise<string> {
    return this.inTurn(() => bcrypt.hash(firstBytes(password), this.cost));
  }

  /** A hash of unknown format matches no password. */
  async verify(password: string, hash: string): Promise<boolean> {
    if (!BCRYPT.test(hash)) return this.verifyNothing(password);
    // The variants differ only in how old implementations stored them; their computation is that of 2b.
    return this.compare(password, hash.replace(/^\$2[axy]\$/, '$2b$'));
  }

  /** Takes as long as `verify` and is always false. */
  async verifyNothing(password: string): Promise<false> {
    await this.compare(password, `$2b$${String(this.cost)}$${NOBODYS}`);
    return false;
  }

  /** Whether a matching hash should be replaced by a new one. */
  isOutdated(hash: string): boolean {
    const [, variant, cost] = BCRYPT.exec(hash) ?? [];
    return variant !== 'b' || Number(cost) !== this.cost;
  }

  private compare(password: string, hash: string): Promise<boolean> {
    return this.inTurn(() => bcrypt.compare(firstBytes(password), hash));
  }
}
