import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

interface Step {
  readonly command: string;
  /** Lines it prints; `…` is anything. */
  readonly output: string;
}

/** The commands of the `console` blocks, with what each prints. */
function stepsOf(document: string): Step[] {
  const blocks = [...document.matchAll(/```console\n([^]*?)```/g)].map(([, block]) => block ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...lines] = step.split('\n');
        return { command, output: lines.join('\n').trim() };
      }),
  );
}

const MARK = '--- end of step ---';

function run(steps: readonly Step[], env: Record<string, string>): Promise<string[]> {
  const script = steps.map(({ command }) => `${command}\nprintf '\\n${MARK}\\n'`).join('\n');
  return new Promise((resolve, reject) => {
    const shell = spawn('bash', ['-u', '-s'], { env: { PATH: process.env['PATH'] ?? '', ...env } });
    let printed = '';
    let complained = '';
    shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()));
    shell.on('error', reject);
    shell.on('close', () => {
      if (complained !== '') reject(new Error(complained));
      else resolve(printed.split(MARK).map((text) => text.trim()));
    });
    shell.stdin.end(script);
  });
}

const asPattern = (output: string): RegExp =>
  new RegExp(`^${output.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^]*')}$`);

describe('docs/tutorial-accounts.md', () => {
  let under: AppUnderTest;
  beforeAll(async () => {
    under = await startApp({ realTime: true });
  });
  afterAll(() => under.close());

  it('says what its commands print', async () => {
    const document = await readFile(new URL('../../../docs/tutorial-accounts.md', import.meta.url), 'utf8');
    const steps = stepsOf(document);
    expect(steps.length).toBeGreaterThan(12);
    const printed = await run(steps, {
      BASE: under.baseUrl.replace(/\/$/, ''),
      DATA_DIR: under.dataDir,
      ADMIN_PASSWORD: ADMIN.password,
    });
    steps.forEach(({ output }, index) => expect(printed[index]).toMatch(asPattern(output)));
  });
});
