import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/product.js';

const run = promisify(execFile);
const SLOW_MS = 300_000;

interface Described {
  description?: string;
}
interface Operation extends Described {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: (Described & { name: string })[];
  requestBody?: { content: object };
  responses: Record<string, Described & { content?: object }>;
}

/** The document as a build has it: comments become words when it is compiled. */
describe('the words of the OpenAPI document', () => {
  let folder: string;
  let file: string;
  let operations: [name: string, operation: Operation][];
  let schemas: Record<string, { properties?: Record<string, Described> }>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muniment-openapi-'));
    file = join(folder, 'openapi.json');
    const env = { ...process.env, BILLING_ENABLED: 'true', CUSTOM_STORAGES_ENABLED: 'true' };
    await run(process.execPath, [join(ROOT, 'bin/muniment.mjs'), 'openapi', '--out', file], { cwd: ROOT, env });
    const document = JSON.parse(await readFile(file, 'utf8'));
    const paths = document.paths as Record<string, Record<string, Operation>>;
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
    );
    schemas = document.components.schemas;
  }, SLOW_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('describe every operation', () => {
    expect(operations.length).toBeGreaterThan(220);
    expect(operations.filter(([, one]) => !one.summary || !one.description).map(([name]) => name)).toEqual([]);
  });

  it('describe every parameter, body and answer', () => {
    const silent = operations.flatMap(([name, { parameters = [], responses }]) => [
      ...parameters.filter(({ description }) => !description).map((parameter) => `${name} ${parameter.name}`),
      ...Object.entries(responses).flatMap(([status, { description }]) => (description ? [] : [`${name} ${status}`])),
    ]);
    expect(silent).toEqual([]);
  });

  it('describe every field', () => {
    const silent = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).flatMap(([field, { description }]) => (description ? [] : [`${schema}.${field}`])),
    );
    expect(silent).toEqual([]);
  });

  it('give every operation one tag', () => {
    expect(operations.filter(([, { tags }]) => tags?.length !== 1).map(([name]) => name)).toEqual([]);
  });

  it('declare what a caller without log-in is answered', () => {
    const isOpen = ({ security = [] }: Operation) => security.length === 0;
    expect(operations.filter(([, one]) => !isOpen(one) && !('401' in one.responses)).map(([name]) => name)).toEqual([]);
  });

  it('name operations as they always have', () => {
    expect(operations.map(([name, { operationId }]) => `${operationId}: ${name}`).sort()).toMatchSnapshot();
  });

  it(
    'break none of the rules of redocly',
    async () => {
      const redocly = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');
      const config = join(import.meta.dirname, 'redocly.yaml');
      const lint = [redocly, 'lint', '--config', config, '--max-problems', '20', file];
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      await expect(run(process.execPath, lint, { env })).resolves.toBeTruthy();
    },
    SLOW_MS,
  );

  it(
    'tell the errors that handlers throw now',
    async () => {
      const script = join(ROOT, 'scripts/openapi/thrown-errors.mjs');
      await expect(run(process.execPath, [script, '--check'])).resolves.toBeTruthy();
    },
    SLOW_MS,
  );
});
