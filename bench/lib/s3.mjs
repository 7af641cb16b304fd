/** A versitygw on this machine, and the service's settings for it: the stand-in for S3 in benches. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../scripts/provision/lib.mjs';
import { findVersitygw } from '../../scripts/provision/versitygw.mjs';
import { until } from './product.mjs';

export const KEYS = { access_key: 'benchkey', secret_key: 'benchsecret' };

/** @param {string} dir a folder for objects and settings @returns its URL, process and settings of the service */
export async function startS3(dir) {
  const binary = await findVersitygw();
  if (!binary) throw new Error('no versitygw');
  const port = await freePort();
  mkdirSync(path.join(dir, 'data', 'archive'), { recursive: true });
  mkdirSync(path.join(dir, 'meta'));
  const args = ['--port', `127.0.0.1:${port}`, '--access', KEYS.access_key, '--secret', KEYS.secret_key, '--quiet'];
  args.push('posix', path.join(dir, 'data'), '--sidecar', path.join(dir, 'meta'));
  const child = spawn(binary, args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/`;
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await until(answers, 10_000);
  return { url, child, env: { STORAGES_JSON: storagesFile(dir, url) } };
}

function storagesFile(dir, url) {
  const name = path.join(dir, 'storages.json');
  const storage = { type: 's3', name: 'bench', ...KEYS, endpoint_url: url, bucket_name: 'archive' };
  writeFileSync(name, JSON.stringify([storage]));
  return name;
}
