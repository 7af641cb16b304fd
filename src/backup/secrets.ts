import { hkdfSync } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppConfig } from '../config/app-config.js';

/** What an installation needs beside its database and objects, in the form of `DATA_DIR/secrets.json`. */
interface Secrets {
  readonly passwordSecret: string;
  readonly urlSigningKey: string;
  readonly superuserPassword: string;
}

/** The secrets in use, whether they were given or generated. The bytes have to be encrypted before they are stored. */
export async function* secretsOf({ auth, storage, accounts }: AppConfig): AsyncGenerator<Buffer> {
  const secrets: Secrets = {
    passwordSecret: auth.passwordSecret.reveal(),
    urlSigningKey: storage.urlSigningKey.reveal(),
    superuserPassword: accounts.superuserPassword.reveal(),
  };
  yield await Promise.resolve(Buffer.from(JSON.stringify(secrets)));
}

/** Tells whether two services have the same PASSWORD_SECRET, and nothing else of it. */
export const secretMarkOf = ({ auth }: AppConfig): string =>
  Buffer.from(hkdfSync('sha256', auth.passwordSecret.reveal(), '', 'muniment backup: which secret', 16)).toString(
    'hex',
  );

/** Puts the secrets of a backup in the place of the generated ones. What else is in the file stays. */
export async function placeSecrets(dataDir: string, bytes: Buffer): Promise<void> {
  const { passwordSecret, urlSigningKey, superuserPassword } = JSON.parse(bytes.toString('utf8')) as Secrets;
  const file = join(dataDir, 'secrets.json');
  const present = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  const draft = `${file}.restored`;
  const text = JSON.stringify({ ...present, passwordSecret, urlSigningKey, superuserPassword }, null, 2);
  await writeFile(draft, `${text}\n`, { mode: 0o600, flush: true });
  await rename(draft, file);
}
