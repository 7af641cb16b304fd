import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findVersitygw } from '../../scripts/provision/versitygw.mjs';
import { CONTAINER_HOST } from './container-host.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

export interface S3Server {
  /** `http://127.0.0.1:port/` */
  url: string;
  port: number;
  bucket: string;
  accessKey: string;
  secretKey: string;
  /** The folder behind the bucket: what is really stored. */
  folder: string;
  stop(): Promise<void>;
}

/** A versitygw of our own over a temporary folder, with one bucket; null, with a loud line, where there is none. */
export async function startS3Server(): Promise<S3Server | null> {
  const binary = process.env.VERSITYGW_BINARY ?? (await findVersitygw());
  if (!binary) return null;
  const root = await mkdtemp(join(tmpdir(), 'muniment-s3-'));
  const [bucket, accessKey, secretKey] = ['archive', 'testkey', 'testsecret'];
  await mkdir(join(root, 'data', bucket), { recursive: true });
  const port = await freePort();
  const args = ['--port', `${CONTAINER_HOST}:${port}`, '--access', accessKey, '--secret', secretKey, '--quiet'];
  args.push(
    '--virtual-domain',
    `${CONTAINER_HOST}:${port}`,
    'posix',
    join(root, 'data'),
    '--sidecar',
    join(root, 'meta'),
  );
  await mkdir(join(root, 'meta'));
  const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await listening(child, port);
  return {
    url: `http://${CONTAINER_HOST}:${port}/`,
    port,
    bucket,
    accessKey,
    secretKey,
    folder: join(root, 'data', bucket),
    async stop() {
      await stopped(child);
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The server as the default storage, in STORAGES_JSON. */
export const storageEntry = ({ accessKey, secretKey, bucket, url }: S3Server): object => ({
  name: 'default',
  type: 's3',
  access_key: accessKey,
  secret_key: secretKey,
  bucket_name: bucket,
  endpoint_url: url,
  access_endpoint_url: `${url}${bucket}/`,
  access_addressing_style: 'path',
  is_default_primary: true,
});

async function listening(child: ChildProcess, port: number): Promise<void> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(async () => {
    if (child.exitCode === null) await fetch(`http://${CONTAINER_HOST}:${port}/`);
  });
  if (child.exitCode !== null) throw new Error(`versitygw ended with ${child.exitCode}: ${output}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  // It waits for open connections; what is stored goes with its folder anyway.
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}
