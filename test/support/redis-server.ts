import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '../../scripts/provision/redis.mjs';
import { CONTAINER_HOST } from './container-host.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** A Redis of a test's own, with an append-only file, that can die and come back. */
export class RedisServer {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly binary: string,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Null, with a loud line, where there is no redis-server. */
  static async start(): Promise<RedisServer | null> {
    const binary = process.env['MUNIMENT_TEST_REDIS'] ?? (await findRedis());
    if (!binary) return null;
    const server = new RedisServer(binary, await mkdtemp(join(tmpdir(), 'muniment-redis-')), await freePort());
    await server.up();
    return server;
  }

  /** What a container of the Redis image runs, as the docker engine's stub starts it. */
  asImage([, ...options]: string[], address: string): string[] {
    return [this.binary, ...options, '--bind', address, '--save', ''];
  }

  get url(): string {
    return `redis://${CONTAINER_HOST}:${String(this.port)}/0`;
  }

  async up(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', CONTAINER_HOST, '--dir', this.folder, '--save', ''];
    this.child = spawn(
      this.binary,
      [...args, '--appendonly', 'yes', '--appendfsync', 'always', '--protected-mode', 'no'],
      { stdio: 'ignore' },
    );
    await eventually(() => answers(this.port));
  }

  /** Kills it; what it had acknowledged is in its file, unless `empty`. */
  async kill({ empty = false } = {}): Promise<void> {
    const child = this.child;
    this.child = null;
    if (child && child.exitCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    if (empty) await rm(join(this.folder, 'appendonlydir'), { recursive: true, force: true });
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, CONTAINER_HOST);
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.write('PING\r\n');
  });
}
