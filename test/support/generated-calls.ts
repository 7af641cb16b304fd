import { request, type Agent } from 'node:http';
import type { ApiOperation } from './api-operations.js';
import { GeneratedValues } from './generated-values.js';
import { HOSTILE, type Components } from './hostile-values.js';
import type { Random } from './random.js';

export interface GeneratedCall {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** What generated calls are made of. */
export interface CallWorld {
  readonly components: Components;
  /** By the name of the path parameter. */
  readonly ids: ReadonlyMap<string, string>;
  /** Stands in for the org in calls that end one; those of subscriptions do. */
  readonly doomedOid: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const ESCAPES = ['%00', '%zz', '%', '%c3%28', '%ed%a0%80', '%2e%2e%2f', '%25', '%0d%0a', '%F0%9F%92%A3', '%2F', '%5C'];
const TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
  'application/offset+octet-stream',
  'constructor',
  ';',
];
/** Headers that some route or the front of the service reads. */
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  [
    'range',
    ['bytes=0-', 'bytes=9-1', 'bytes=-0', 'bytes=99999999999999999999-', 'lines=1-', 'bytes=0-0,2-3', 'bytes='],
  ],
  ['if-none-match', ['*', '"x"', 'W/"', ',,,']],
  ['if-modified-since', ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT']],
  ['content-encoding', ['gzip', 'br', 'deflate', 'nonsense', 'identity']],
  ['accept', ['text/html', '*/*;q=-1', ';;;']],
  ['accept-language', ['de;q=x', '*', 'constructor']],
  ['origin', ['null', 'http://[', 'https://a.invalid']],
  ['referer', ['http://[', '//']],
  ['host', ['a.invalid', '[', 'a b', '', 'x:99999', '__proto__']],
  ['x-forwarded-proto', ['https', 'javascript', 'https,http']],
  ['x-forwarded-host', ['a.invalid', '[', '"']],
  ['x-forwarded-for', ['1', '::1', ',,', "'"]],
  ['forwarded', ['for=;', 'for="[']],
  ['cookie', ['a', '=;=', '%zz=%zz']],
  ['x-http-method-override', ['DELETE', 'constructor']],
  ['tus-resumable', ['1.0.0', '0.0.0', 'x']],
  ['upload-length', ['0', '5', '-1', '1e3', '9007199254740993', 'x']],
  ['upload-offset', ['0', '5', '-1', '9007199254740993', 'x']],
  [
    'upload-metadata',
    ['filename YS53YWN6', 'filename', 'filename %%', ',,', 'filename AA==,filename AA==', 'name w7bDtg=='],
  ],
  ['upload-defer-length', ['1', 'x']],
  ['upload-concat', ['partial', 'final;/x', 'x']],
];

/** A call of an operation: as its schemas have it, and spoilt somewhere in most cases. */
export function generatedCall(operation: ApiOperation, world: CallWorld, random: Random): GeneratedCall {
  const method = random.chance(0.03) ? random.pick(METHODS) : operation.method;
  const endsOrg =
    operation.tags.includes('subscriptions') || (operation.path === '/api/orgs/{oid}' && method === 'DELETE');
  const ids = endsOrg ? new Map([...world.ids, ['oid', world.doomedOid]]) : world.ids;
  const values = new GeneratedValues(random, world.components, [...ids.values()]);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, ids, values, random));
  const target = `${path}${random.chance(0.03) ? '/' : ''}${query(operation, values, random)}`;
  const headers: Record<string, string> = {};
  const hasBody = operation.body !== null || random.chance(0.05);
  const body = hasBody ? bodyBytes(operation, values, random) : null;
  if (body) headers['content-type'] = random.chance(0.05) ? random.pick(TYPES) : (operation.body?.type ?? TYPES[0]!);
  if (random.chance(0.1) || operation.path.includes('/tus'))
    for (let n = random.below(3); n >= 0; n--) {
      const [name, given] = random.pick(HEADERS);
      headers[name] = random.pick(given);
    }
  if (operation.path.includes('/tus') && random.chance(0.8)) headers['tus-resumable'] = '1.0.0';
  return { method, target, headers, body };
}

function segment(name: string, ids: CallWorld['ids'], values: GeneratedValues, random: Random): string {
  const known = ids.get(name);
  const isKept = name === 'oid' ? 0.97 : 0.75;
  if (known !== undefined && random.chance(isKept)) return encodeURIComponent(known);
  if (random.chance(0.3)) return random.pick(ESCAPES);
  if (random.chance(0.3)) return encoded(random.pick(HOSTILE)) || '-';
  return encoded(values.text(name)) || '-';
}

function query({ parameters }: ApiOperation, values: GeneratedValues, random: Random): string {
  const given = parameters
    .filter((parameter) => parameter.in === 'query' && random.chance(0.4))
    .flatMap(({ name, schema }) => {
      const one = () => (random.chance(0.1) ? random.pick(ESCAPES) : encoded(values.of(schema, name)));
      const key = random.chance(0.03) ? `${name}${random.pick(['[]', '[$gt]', '[__proto__][x]', '.x'])}` : name;
      return random.chance(0.07) ? [`${key}=${one()}`, `${key}=${one()}`] : [`${key}=${one()}`];
    });
  if (random.chance(0.03))
    given.push(random.pick(['constructor=1', '__proto__[x]=1', '=', '&&&', 'a=%', `x=${'a'.repeat(4000)}`]));
  return given.length > 0 ? `?${given.join('&')}` : '';
}

/** A value as a part of an address; lone surrogates have no encoding, so they come as the bytes that they would be. */
function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /\p{Surrogate}/u.test(text) ? '%ed%a0%80' : encodeURIComponent(text).slice(0, 8000);
}

function bodyBytes({ body }: ApiOperation, values: GeneratedValues, random: Random): Buffer {
  if (body?.type === 'application/x-www-form-urlencoded') return Buffer.from(form(values.of(body.schema), random));
  if (body?.type === 'multipart/form-data') return Buffer.from(random.pick(PARTS));
  if (body?.type !== 'application/json') return Buffer.from(encoded(random.pick(HOSTILE)).repeat(random.below(4)));
  const plain = values.of(body.schema);
  const text = JSON.stringify(random.chance(0.6) ? values.mutated(plain) : plain);
  if (random.chance(0.95)) return Buffer.from(text);
  return random.pick([
    () => Buffer.from(text.slice(0, random.below(text.length))),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]),
    () => Buffer.from(text, 'utf16le'),
    () =>
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    () => Buffer.from(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
    () => Buffer.from(`{"name":"${'x'.repeat(300_000)}"}`),
    () => Buffer.from(text.replace('{', '{"name":1,"name":[],"__proto__":{"x":1},')),
    () => Buffer.from('{"name":1e99999,"size":-1E-99999,"max":123456789012345678901234567890}'),
    () => Buffer.alloc(random.below(3)),
  ])();
}

const form = (fields: unknown, random: Random): string =>
  Object.entries(fields ?? {})
    .map(([name, value]) => `${name}=${random.chance(0.2) ? random.pick(ESCAPES) : encoded(value)}`)
    .join('&');

const part = (head: string, content = 'x'): string => `--x\r\n${head}\r\n\r\n${content}\r\n`;
const PARTS = [
  `${part('Content-Disposition: form-data; name="uploads"; filename="a.wacz"')}--x--`,
  part('Content-Disposition: form-data; name="uploads"; filename="../\u0000.wacz"'),
  `${part('Content-Disposition: form-data; name="name"', 'constructor')}--x--`,
  `${part('Content-Disposition: form-data')}--x--`,
  `${part('Content-Type: nonsense')}--x--`,
  part(`Content-Disposition: form-data; name="${'x'.repeat(5000)}"`).repeat(50),
  '--x--',
  '',
];

/** The status of the answer, or what happened instead of one. Streams that do not end are left. */
export function statusOf(
  baseUrl: string,
  call: GeneratedCall,
  token: string | null,
  agent: Agent,
): Promise<number | string> {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const length = call.body ? { 'content-length': call.body.length } : {};
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    const headers = { ...authorization, ...length, ...call.headers };
    const sent = request({ hostname, port, path: call.target, method: call.method, headers, agent }, (response) => {
      const status = response.statusCode ?? 0;
      const timer = setTimeout(() => response.destroy(), 5_000);
      response.resume();
      response.once('close', () => (clearTimeout(timer), resolve(status)));
    });
    sent.setTimeout(60_000, () => sent.destroy(new Error('no answer within a minute')));
    sent.once('error', (error) => resolve(error.message));
    sent.end(call.body ?? undefined);
  });
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a line for a shell; the token is to be put in. */
export function curlLine(baseUrl: string, { method, target, headers, body }: GeneratedCall): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const bytes = body ? [`| base64 -d | curl --data-binary @-`] : ['curl'];
  const from = body ? `echo ${body.toString('base64')} ` : '';
  return `${from}${bytes.join('')} --path-as-is -g -X ${method} -H "Authorization: Bearer $TOKEN" ${given.join(' ')} ${quoted(`${baseUrl}${target}`)}`;
}
