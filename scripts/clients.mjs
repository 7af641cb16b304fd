/**
 * `npm run clients -- --out DIR`: generates clients of the API, each in a folder of DIR, from the document that this
 * version of the service has, or from that of a running one. See docs/clients.md.
 */
import './check-node.mjs';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { failureLine, ROOT, run, say } from './provision/lib.mjs';
import { findOpenapiGenerators } from './provision/openapi-generators.mjs';

const HELP = `Usage: npm run clients -- --out DIR [--document FILE or URL] [--only NAME]…

Generates clients of the API, each in a folder of DIR that is made anew.

  --out DIR           where to
  --document SOURCE   an OpenAPI document instead of this version's, e.g. https://archive.example/api/openapi.json
  --only NAME         one of: typescript-types, typescript-fetch, python, python-httpx, go (may be given several times)
  --help              this text`;

const PACKAGE = 'muniment_client';
/** Types that openapi-python-client does not know are bytes to it. */
const BYTES = ['application/wacz+zip', 'application/offset+octet-stream', 'image/*'];

/** @param {import('./provision/openapi-generators.mjs').OpenapiGenerators} tools */
const openapiGenerator =
  (language, properties = {}) =>
  (document, out, { java, jar }) => [
    java,
    '-jar',
    jar,
    'generate',
    '--skip-validate-spec',
    ...['-i', document, '-g', language, '-o', out],
    '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    `--additional-properties=${Object.entries(properties)
      .map((pair) => pair.join('='))
      .join(',')}`,
  ];

function openapiPythonClient(document, out, { bin }) {
  const config = `${out}.json`;
  const overrides = Object.fromEntries(BYTES.map((type) => [type, 'application/octet-stream']));
  writeFileSync(config, JSON.stringify({ content_type_overrides: overrides, package_name_override: PACKAGE }));
  const args = ['generate', '--path', document, '--output-path', path.join(out, PACKAGE), '--meta', 'none'];
  return [path.join(bin, 'openapi-python-client'), ...args, '--config', config];
}

const openapiTypescript = (document, out) => [
  process.execPath,
  path.join(ROOT, 'node_modules/openapi-typescript/bin/cli.js'),
  document,
  ...['-o', path.join(out, 'schema.d.ts'), '--default-non-nullable', 'false'],
];

const CLIENTS = {
  'typescript-types': openapiTypescript,
  'typescript-fetch': openapiGenerator('typescript-fetch', { npmName: 'muniment-client', importFileExtension: '.js' }),
  python: openapiGenerator('python', { packageName: PACKAGE }),
  'python-httpx': openapiPythonClient,
  // Constants of enumerations are global in Go.
  go: openapiGenerator('go', { packageName: 'muniment', enumClassPrefix: true, withGoMod: true }),
};

async function documentFrom(source, out) {
  const file = path.join(out, 'openapi.json');
  if (source === undefined) {
    const made = await run(process.execPath, [path.join(ROOT, 'bin/muniment.mjs'), 'openapi', '--out', file]);
    if (made.code !== 0) throw new Error(`the document could not be written: ${failureLine(made.output)}`);
  } else if (/^https?:/.test(source)) {
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`${source} answered ${answer.status}`);
    writeFileSync(file, await answer.text());
  } else writeFileSync(file, readFileSync(source));
  return file;
}

async function generate(names, { document, out }) {
  mkdirSync(out, { recursive: true });
  const file = await documentFrom(document, out);
  const needsTools = names.some((name) => name !== 'typescript-types');
  const tools = needsTools ? await findOpenapiGenerators() : null;
  if (needsTools && !tools) throw new Error('the generators cannot be had on this machine');
  for (const name of names) {
    const folder = path.join(out, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const [command, ...args] = CLIENTS[name](file, folder, tools);
    const { code, output } = await run(command, args);
    if (code !== 0) throw new Error(`${name}: ${failureLine(output)}`);
    say(`${name}: ${folder}`);
  }
}

try {
  const options = {
    out: { type: 'string' },
    document: { type: 'string' },
    only: { type: 'string', multiple: true },
    help: { type: 'boolean' },
  };
  const { values } = parseArgs({ options });
  const { out, document, only = Object.keys(CLIENTS), help = false } = values;
  const unknown = only.filter((name) => !Object.hasOwn(CLIENTS, name));
  if (help) process.stdout.write(`${HELP}\n`);
  else if (out === undefined || unknown.length > 0) {
    process.stderr.write(unknown.length > 0 ? `No such client: ${unknown.join(', ')}\n${HELP}\n` : `${HELP}\n`);
    process.exitCode = 2;
  } else await generate(only, { out: path.resolve(out), document });
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
