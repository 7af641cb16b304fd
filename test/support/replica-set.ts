import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { loadScript } from '../start/load.js';

const { findMongod } = await loadScript<{ findMongod: () => Promise<string> }>('provision/mongod.mjs');
const { MongoClient } = mongo;
const MEMBERS = 3;
const NAME = 'three';
const BOUND_MS = 120_000;

/** Three real mongods on loopback, of which one takes writes until it is told to step down. */
export class ReplicaSet {
  private constructor(
    private readonly folder: string,
    private readonly members: readonly ChildProcess[],
    private readonly client: mongo.MongoClient,
    /** All members; the driver finds the primary. */
    readonly url: string,
  ) {}

  static async start(): Promise<ReplicaSet> {
    const binary = await findMongod();
    const folder = await mkdtemp(join(tmpdir(), 'muniment-replica-set-'));
    const ports: number[] = [];
    for (let i = 0; i < MEMBERS; i += 1) ports.push(await freePort());
    const members: ChildProcess[] = [];
    for (const port of ports) {
      const dbPath = join(folder, String(port));
      await mkdir(dbPath);
      const args = ['--dbpath', dbPath, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', NAME];
      args.push('--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64', '--nounixsocket');
      args.push('--setParameter', 'diagnosticDataCollectionEnabled=false');
      members.push(spawn(binary, args, { stdio: 'ignore' }));
    }
    const hosts = ports.map((port) => `127.0.0.1:${String(port)}`);
    await initiate(hosts);
    const url = `mongodb://${hosts.join(',')}/?replicaSet=${NAME}`;
    const client = await new MongoClient(url, { serverSelectionTimeoutMS: BOUND_MS }).connect();
    return new ReplicaSet(folder, members, client, url);
  }

  async primary(): Promise<string> {
    const hello = await this.client.db('admin').command({ hello: 1 });
    return hello['primary'] as string;
  }

  /** Lets the primary leave its place to another, whatever goes on. @returns when another has taken it */
  async stepDown(): Promise<void> {
    const before = await this.primary();
    const url = `mongodb://${before}/?directConnection=true`;
    const direct = await new MongoClient(url, { serverSelectionTimeoutMS: BOUND_MS }).connect();
    await direct
      .db('admin')
      .command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 50 })
      .finally(() => direct.close());
    await eventually(async () => {
      const after = await this.primary();
      if (!after || after === before) throw new Error('no other primary yet');
    }, BOUND_MS);
  }

  async stop(): Promise<void> {
    await this.client.close();
    await Promise.all(
      this.members.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        await ended;
      }),
    );
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function initiate(hosts: readonly string[]): Promise<void> {
  const config = {
    _id: NAME,
    members: hosts.map((host, _id) => ({ _id, host })),
    settings: { electionTimeoutMillis: 5_000, heartbeatIntervalMillis: 500 },
  };
  const url = `mongodb://${hosts[0] ?? ''}/?directConnection=true`;
  await eventually(
    async () => {
      const first = await new MongoClient(url, { serverSelectionTimeoutMS: 2_000 }).connect();
      try {
        await first.db('admin').command({ replSetInitiate: config });
      } catch (error) {
        if ((error as { codeName?: string }).codeName !== 'AlreadyInitialized') throw error;
      } finally {
        await first.close();
      }
    },
    BOUND_MS,
    200,
  );
}
