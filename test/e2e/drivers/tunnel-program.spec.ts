import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROTOCOL_VERSION } from '../../../crawler/protocol.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the program of tunnels', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muniment-tunnel-'));
    const slow = `#!/bin/sh\necho $$ > '${folder}/pid'\nexec sleep 600\n`;
    await writeFile(join(folder, 'ssh'), slow, { mode: 0o755 });
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('leaves no ssh behind when the service dies while the tunnel is being opened', async () => {
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const program = fork(join(dirname(await builtCrawler()), 'tunnel.js'), [], {
      env,
      execArgv: [],
      serialization: 'advanced',
    });
    program.send({ v: PROTOCOL_VERSION, t: 'tunnel', rid: 1, proxy: { url: 'ssh://user@slow.test:2222' } });
    const pid = await eventually(async () => {
      const written = Number(await readFile(join(folder, 'pid'), 'utf8'));
      expect(written > 0 && isRunning(written)).toBe(true);
      return written;
    });
    program.disconnect();
    await once(program, 'exit');
    await eventually(() => expect(isRunning(pid)).toBe(false), 20_000);
  }, 60_000);
});
