import { execFile, type ExecFileOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { killApiProcess, startApiProcess, type ApiProcess } from '../support/api-process.js';
import { ROOT } from '../support/product.js';
import { ADMIN } from '../support/start-app.js';
import { startReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { waczOf } from '../support/zip.js';
import { loadScript } from '../start/load.js';

const { which } = await loadScript<{ which: (...names: string[]) => string | null }>('provision/lib.mjs');
const run = promisify(execFile);
const DRIVES = join(import.meta.dirname, 'drives');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const SLOW_MS = 600_000;

const python = process.env['MUNIMENT_TEST_CLIENT_PYTHON'] ?? '';
const go = which('go') ?? '';

/** Skips loudly what this machine has no tools for. */
const needs = (tool: string, what: string) => {
  if (tool === '') process.stdout.write(`SKIPPED: ${what}\n`);
  return tool === '' ? it.skip : it;
};
const whenPython = needs(python, 'generated clients: the generators are not there (MUNIMENT_TEST_CLIENT_PYTHON)');
const whenGo = needs(python && go, 'generated client of Go: there is no Go, or no generators');

describe('a client that is generated from the document', () => {
  let folder: string;
  let service: ApiProcess;
  let receiver: WebhookReceiver;
  let database: { url: string; name: string };
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muniment-clients-'));
    database = { url: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '', name: `t_${randomBytes(8).toString('hex')}` };
    receiver = await startReceiver();
    service = await startApiProcess({
      MONGO_DB_URL: database.url,
      MONGO_DB_NAME: database.name,
      DATA_DIR: join(folder, 'data'),
      ALLOW_PRIVATE_ADDRESSES: 'webhooks',
    });
    await writeFile(join(folder, 'a.wacz'), await waczOf(['https://example.com/']));
    env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      BASE_URL: service.baseUrl,
      EMAIL: ADMIN.email,
      PASSWORD: ADMIN.password,
      RECEIVER: receiver.url,
      WACZ: join(folder, 'a.wacz'),
      GOFLAGS: '-mod=mod',
    };
  }, SLOW_MS);

  afterAll(async () => {
    if (service) await killApiProcess(service);
    await receiver?.close();
    const connection = await mongoose.createConnection(database.url, { dbName: database.name }).asPromise();
    await connection.dropDatabase();
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The folder of a client that is generated of what the service serves. */
  async function generated(name: string): Promise<string> {
    const args = [join(ROOT, 'scripts/clients.mjs'), '--out', folder, '--only', name];
    await run(process.execPath, [...args, '--document', `${service.baseUrl}/api/openapi.json`], { cwd: ROOT });
    return join(folder, name);
  }

  async function ran(command: string, args: string[], options: ExecFileOptions): Promise<string> {
    const { stdout } = await run(command, args, { env, maxBuffer: 1 << 26, ...options });
    return String(stdout);
  }

  async function drivenByPython(name: string, drive: string): Promise<string> {
    const cwd = await generated(name);
    await ran(python, ['-m', 'compileall', '-q', 'muniment_client'], { cwd });
    await cp(join(DRIVES, drive), join(cwd, 'drive.py'));
    return ran(python, ['drive.py'], { cwd });
  }

  /** Compiles all of it, strictly, and runs the drive. */
  async function drivenByNode(name: string, drive: string): Promise<string> {
    const cwd = await generated(name);
    await cp(join(DRIVES, drive), join(cwd, 'drive.mts'));
    await mkdir(join(cwd, 'node_modules/@types'), { recursive: true });
    for (const used of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
      await symlink(join(ROOT, 'node_modules', used), join(cwd, 'node_modules', used)).catch(() => undefined);
    const compilerOptions = {
      strict: true,
      target: 'es2022',
      skipLibCheck: true,
      types: ['node'],
      outDir: 'out',
      rootDir: '.',
      module: 'nodenext',
    };
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src', '*.mts', '*.ts'] }));
    await ran(process.execPath, [TSC, '-p', '.'], { cwd });
    return ran(process.execPath, ['out/drive.mjs'], { cwd });
  }

  it(
    'compiles and can be driven: TypeScript by openapi-typescript',
    async () => {
      expect(await drivenByNode('typescript-types', 'types.mts.txt')).toBe('driven\n');
    },
    SLOW_MS,
  );

  whenPython(
    'compiles and can be driven: TypeScript by openapi-generator',
    async () => {
      expect(await drivenByNode('typescript-fetch', 'fetch.mts.txt')).toBe('driven\n');
    },
    SLOW_MS,
  );

  whenPython(
    'compiles and can be driven: Python by openapi-generator',
    async () => {
      expect(await drivenByPython('python', 'python.py')).toBe('driven\n');
    },
    SLOW_MS,
  );

  whenPython(
    'compiles and can be driven: Python by openapi-python-client',
    async () => {
      expect(await drivenByPython('python-httpx', 'httpx.py')).toBe('driven\n');
    },
    SLOW_MS,
  );

  whenGo(
    'compiles and can be driven: Go by openapi-generator',
    async () => {
      const cwd = await generated('go');
      await mkdir(join(cwd, 'drive'));
      await cp(join(DRIVES, 'drive.go'), join(cwd, 'drive/main.go'));
      await ran(go, ['build', './...'], { cwd });
      expect(await ran(go, ['run', './drive'], { cwd })).toBe('driven\n');
    },
    SLOW_MS,
  );
});
