import { randomBytes, randomInt } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 20 characters from `[A-Za-z0-9]`, from the system's random source (accounts §2.2). */
export const generatePassword = (): string =>
  Array.from({ length: 20 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

interface Stored {
  readonly passwordSecret: string;
  readonly urlSigningKey: string;
  readonly superuserPassword: string;
}

const isExisting = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** Secrets that *solo* needs, made on first use and kept in `DATA_DIR/secrets.json` with mode 0600. */
export class GeneratedSecrets implements Stored {
  readonly passwordSecret!: string;
  readonly urlSigningKey!: string;
  readonly superuserPassword!: string;

  private constructor(stored: Stored) {
    Object.assign(this, stored);
  }

  static of(dataDir: string): GeneratedSecrets {
    const path = join(dataDir, 'secrets.json');
    try {
      return new GeneratedSecrets(JSON.parse(readFileSync(path, 'utf8')) as Stored);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return GeneratedSecrets.create(dataDir, path);
  }

  /** Several processes may start at once: the file appears whole by `link`, and the first one wins. */
  private static create(dataDir: string, path: string): GeneratedSecrets {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const secrets: Stored = {
      passwordSecret: randomBytes(32).toString('base64url'),
      urlSigningKey: randomBytes(32).toString('base64url'),
      superuserPassword: generatePassword(),
    };
    const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
    writeFileSync(draft, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    try {
      linkSync(draft, path);
      return new GeneratedSecrets(secrets);
    } catch (error) {
      if (!isExisting(error)) throw error;
      return new GeneratedSecrets(JSON.parse(readFileSync(path, 'utf8')) as Stored);
    } finally {
      rmSync(draft, { force: true });
    }
  }
}
