import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/product.js';
import { startApp, type AppUnderTest } from '../support/start-app.js';

const run = promisify(execFile);
const SCHEMA = join(ROOT, 'web/src/api/schema.d.ts');
const GENERATOR = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');

/** Texts of the document may change without the types doing so. Fields of these names hold objects. */
const withoutProse = (key: string, value: unknown): unknown =>
  (key === 'description' || key === 'summary') && typeof value === 'string' ? undefined : value;

/** The types of the console's API client are generated. `UPDATE_SCHEMA=1 npm run jest -- console-schema` writes them. */
describe("the console's types of the API", () => {
  let under: AppUnderTest;
  let folder: string;
  beforeAll(async () => {
    under = await startApp();
    folder = await mkdtemp(join(tmpdir(), 'muniment-schema-'));
  }, 120_000);
  afterAll(async () => {
    await under?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are those of the document that the service serves', async () => {
    const response = await fetch(`${under.baseUrl}/api/openapi.json`);
    const [document, made] = [join(folder, 'openapi.json'), join(folder, 'schema.d.ts')];
    await writeFile(document, JSON.stringify(await response.json(), withoutProse));
    await run(process.execPath, [GENERATOR, document, '--output', made, '--default-non-nullable', 'false']);
    const types = await readFile(made, 'utf8');
    if (process.env['UPDATE_SCHEMA']) await writeFile(SCHEMA, types);
    expect(await readFile(SCHEMA, 'utf8')).toBe(types);
  }, 120_000);
});
