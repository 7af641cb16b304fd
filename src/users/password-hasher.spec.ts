import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../config/load-config.js';
import { assertPassword, InvalidPassword, PasswordHasher } from './password-hasher.js';

const dataDir = mkdtempSync(path.join(tmpdir(), 'muniment-hasher-'));
const hasherOf = (variables: Record<string, string>) =>
  new PasswordHasher(loadConfig({ DATA_DIR: dataDir, ...variables }));
const hasher = hasherOf({});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
// Known answers of the bcrypt reference test set (crypt_blowfish, "U*U" and "U*U*U").
const KNOWN = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';

describe('password hashes', () => {
  it.each(['2a', '2b', '2x', '2y'])('of variant %s verify', async (variant) => {
    const hash = KNOWN.replace('$2a$', `$${variant}$`);
    expect(await hasher.verify('U*U', hash)).toBe(true);
    expect(await hasher.verify('U*V', hash)).toBe(false);
    expect(hasher.isOutdated(hash)).toBe(true);
  });

  it('are made as $2b$12$ and are not outdated', async () => {
    const hash = await hasher.hash('pässwörd');
    expect(hash).toMatch(/^\$2b\$12\$/);
    expect(hasher.isOutdated(hash)).toBe(false);
    expect(await hasher.verify('pässwörd', hash)).toBe(true);
  });

  it('are made at the cost that the settings say, at which others are outdated', async () => {
    const cheaper = hasherOf({ PASSWORD_HASH_COST: '10' });
    const hash = await cheaper.hash('pässwörd');
    expect(hash).toMatch(/^\$2b\$10\$/);
    expect([cheaper.isOutdated(hash), hasher.isOutdated(hash)]).toEqual([false, true]);
    expect(() => hasherOf({ PASSWORD_HASH_COST: '9' })).toThrow(/PASSWORD_HASH_COST/);
  });

  it('take the first 72 bytes of a long password', async () => {
    const hash = await hasher.hash('ü'.repeat(64));
    expect(await hasher.verify('ü'.repeat(36), hash)).toBe(true);
    expect(await hasher.verify('ü'.repeat(35), hash)).toBe(false);
  });

  it('of an unknown format fit nothing', async () => {
    expect(await hasher.verify('x', '$argon2id$v=19$m=65536,t=3,p=4$abc$def')).toBe(false);
    expect(await hasher.verify('x', '')).toBe(false);
  });
});

describe('a password', () => {
  it.each(['12345678', 'ü'.repeat(64), '😀'.repeat(64)])('may be %s', (password) => {
    expect(() => assertPassword(password)).not.toThrow();
  });
  it.each(['1234567', 'a'.repeat(65), '😀'.repeat(7), ''])('may not be "%s"', (password) => {
    expect(() => assertPassword(password)).toThrow(InvalidPassword);
  });
});
