import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer, type AddressInfo } from 'node:net';
import { delay } from '../base/time.js';
import type { ProxyConfig } from '../protocol.js';
import { UpstreamFailed } from './dialer.js';

const START_TIMEOUT_MS = 20_000;
const MAX_SAID = 2_000;

/** An `ssh -D` child that serves SOCKS5 on a loopback port, for proxies given as ssh://user@host:port. */
export class SshTunnel {
  readonly ended: Promise<void>;

  private constructor(
    readonly socksUrl: string,
    private readonly child: ChildProcess,
  ) {
    this.ended = new Promise((resolve) => {
      if (child.exitCode !== null) resolve();
      child.once('exit', () => resolve());
    });
  }

  /** @throws UpstreamFailed with the message of ssh */
  static async start(proxy: ProxyConfig): Promise<SshTunnel> {
    const url = new URL(proxy.url);
    const port = await freePort();
    const args = ['-N', '-D', `127.0.0.1:${port}`, '-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes'];
    args.push('-o', 'ServerAliveInterval=30', '-p', url.port || '22');
    if (proxy.sshPrivateKeyFile) args.push('-i', proxy.sshPrivateKeyFile, '-o', 'IdentitiesOnly=yes');
    if (proxy.sshKnownHostsFile) args.push('-o', `UserKnownHostsFile=${proxy.sshKnownHostsFile}`);
    args.push('-o', `StrictHostKeyChecking=${proxy.sshKnownHostsFile ? 'yes' : 'accept-new'}`);
    args.push('--', `${url.username ? `${decodeURIComponent(url.username)}@` : ''}${url.hostname}`);
    const child = spawn('ssh', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    // ssh must end with this process in every case, even while it is still starting.
    const end = () => child.pid !== undefined && child.kill('SIGKILL');
    process.once('exit', end);
    child.once('close', () => process.off('exit', end));
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-MAX_SAID)));
    child.on('error', (error: NodeJS.ErrnoException) => {
      said =
        error.code === 'ENOENT' ? 'there is no ssh program on this machine: install openssh-client' : error.message;
    });
    const until = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < until && child.exitCode === null && child.pid !== undefined) {
      if (await answers(port)) return new SshTunnel(`socks5://127.0.0.1:${port}`, child);
      await delay(100);
    }
    // A process that never started would have the id 0, which means this one's own group.
    if (child.pid !== undefined) child.kill('SIGKILL');
    // ssh gives the reason of a failed start a moment later.
    await delay(100);
    throw new UpstreamFailed(`ssh tunnel to ${url.host} could not be opened: ${said.trim() || 'no answer'}`);
  }

  close(): void {
    this.child.kill('SIGTERM');
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
