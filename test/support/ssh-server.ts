import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const SSHD = '/usr/sbin/sshd';

/** OpenSSH's server on a loopback port, which lets the user of this process in by one key. */
export class SshServer {
  private said = '';

  private constructor(
    private readonly folder: string,
    readonly port: number,
    readonly privateKey: string,
    readonly hostKey: string,
    private readonly child: ChildProcess,
  ) {
    child.stderr?.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
  }

  /** Null, said loudly, where the programs are missing. */
  static async start(): Promise<SshServer | null> {
    if (!existsSync(SSHD)) {
      process.stderr.write('SKIPPED: no sshd on this machine: apt-get install openssh-server\n');
      return null;
    }
    const folder = await mkdtemp(join(tmpdir(), 'muniment-sshd-'));
    for (const name of ['host', 'user'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
    // Where sshd keeps itself apart when it is root.
    if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
    const port = await freePort();
    const settings = {
      ...{ Port: port, ListenAddress: '127.0.0.1', HostKey: join(folder, 'host'), PidFile: 'none', UsePAM: 'no' },
      ...{
        AuthorizedKeysFile: join(folder, 'user.pub'),
        StrictModes: 'no',
        PermitRootLogin: 'yes',
        LogLevel: 'DEBUG1',
      },
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} ${String(value)}\n`);
    await writeFile(join(folder, 'sshd_config'), lines.join(''));
    await chmod(folder, 0o755);
    const child = spawn(SSHD, ['-D', '-e', '-f', join(folder, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
    const [key, host] = await Promise.all(['user', 'host.pub'].map((name) => readFile(join(folder, name), 'utf8')));
    const server = new SshServer(folder, port, key!, host!.split(' ').slice(0, 2).join(' '), child);
    await eventually(() => answers(port));
    return server;
  }

  get url(): string {
    return `ssh://${userInfo().username}@127.0.0.1:${String(this.port)}`;
  }

  /** Connections that it made for its clients. */
  get forwarded(): number {
    return this.said.split('server_request_direct_tcpip').length - 1;
  }

  /** Those that are logged in now, ended with it. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
