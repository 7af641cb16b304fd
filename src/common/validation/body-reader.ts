import express, { type Request, type RequestHandler, type Response } from 'express';
import busboy from 'busboy';
import { failure } from '../errors/domain-error.js';
import { dropRest } from '../http/drop-rest.js';
import { hasBody, type OpenBodies } from '../http/open-bodies.js';
import { InputRefused } from './issue.js';
import type { BodyKind } from './body-kind.js';
import { handOverDecimals, noteDecimals } from './written-decimals.js';

/**
 * How long a body may be. A stranger has not shown a right to do this. An editor may change what an org keeps: a
 * workflow with 100,000 seeds is about 10 MB, and larger lists belong into a seed file.
 */
const LIMIT_BYTES = { stranger: 64 * 1024, user: 1024 * 1024, editor: 32 * 1024 * 1024 };
/** MongoDB stores about 100 levels. The deepest body of the contract has six. */
const MAX_DEPTH = 64;
export type BodySender = keyof typeof LIMIT_BYTES;

export class BodyTooLarge extends failure('too-large', 'request_body_too_large') {}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
interface Parsers {
  readonly json: RequestHandler;
  /** Reads a body that should be JSON but declares another type. */
  readonly text: RequestHandler;
  readonly form: RequestHandler;
}

const parsersUpTo = (limit: number): Parsers => ({
  json: express.json({ strict: false, limit, verify: noteDecimals, type: () => true }),
  text: express.text({ limit, type: () => true }),
  form: express.urlencoded({ extended: false, limit }),
});
const PARSERS: Readonly<Record<BodySender, Parsers>> = {
  stranger: parsersUpTo(LIMIT_BYTES.stranger),
  user: parsersUpTo(LIMIT_BYTES.user),
  editor: parsersUpTo(LIMIT_BYTES.editor),
};

interface ParserFailure extends Error {
  readonly type?: string;
  readonly status?: number;
  readonly body?: string;
}

function refusal(error: ParserFailure): Error {
  if (error.type === 'entity.too.large') return new BodyTooLarge();
  if (error.status === undefined || error.status >= 500) return error;
  const offset = Number(/position (\d+)/.exec(error.message)?.[1] ?? 0);
  return new InputRefused([
    { type: 'json_invalid', loc: ['body', offset], msg: 'JSON decode error', input: {}, ctx: { error: error.message } },
  ]);
}

const run = (parser: RequestHandler, request: Request, response: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    void parser(request, response, (error?: unknown) => (error ? reject(refusal(error as ParserFailure)) : resolve()));
  });

function readMultipartFields(request: Request): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields = new Map<string, string>();
    const limits = { fieldSize: LIMIT_BYTES.stranger, fields: 50, files: 0, parts: 50 };
    const parser = busboy({ headers: request.headers, limits });
    parser.on('field', (name, value) => fields.set(name, value));
    parser.on('close', () => resolve(Object.fromEntries(fields)));
    parser.on('error', reject);
    request.once('close', () => reject(new Error('the client went away')));
    request.pipe(parser);
  });
}

async function readForm(request: Request, response: Response, by: BodySender): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data\s*;/i.test(type)) {
    try {
      request.body = withoutEmpty(await readMultipartFields(request));
    } catch {
      // Busboy throws on a malformed envelope. Its body counts as empty.
      request.body = {};
    }
    return;
  }
  await run(PARSERS[by].form, request, response);
  request.body = withoutEmpty((request.body as Record<string, unknown> | undefined) ?? {});
}

/** An empty form field counts as absent, as in the reference. */
const withoutEmpty = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Works without recursion, because deep values would exhaust the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((inner) => (typeof inner === 'object' && inner !== null ? Object.values(inner) : []));
  }
  return false;
}

async function readJson(request: Request, response: Response, by: BodySender): Promise<void> {
  const type = request.headers['content-type'];
  await run(!type || JSON_TYPE.test(type) ? PARSERS[by].json : PARSERS[by].text, request, response);
  handOverDecimals(request);
  if (!isDeeperThan(MAX_DEPTH, request.body)) return;
  const error = `nested deeper than ${MAX_DEPTH} levels`;
  throw new InputRefused([
    { type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {}, ctx: { error } },
  ]);
}

/** Settles as `reading` does, or rejects at the limit, beyond which the parsers would read on to the end. */
async function upTo(limit: number, request: Request, reading: Promise<void>): Promise<void> {
  let size = 0;
  const beyond = new Promise<never>((_resolve, reject) =>
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(new BodyTooLarge());
    }),
  );
  await Promise.race([reading, beyond]);
}

/**
 * Reads the body as the handler declared it.
 * @param by decides how long the body may be
 * @throws BodyTooLarge 413, InputRefused 422, and what `OpenBodies` throws
 */
export async function readRequestBody(
  kind: BodyKind,
  { request, response, by, open }: { request: Request; response: Response; by: BodySender; open: OpenBodies },
): Promise<void> {
  if (kind === 'raw') return;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > LIMIT_BYTES[by]) throw new BodyTooLarge();
  if (!hasBody(request)) {
    request.body = kind === 'form' ? {} : undefined;
    return;
  }
  const read = kind === 'form' ? readForm : readJson;
  const isLarge = LIMIT_BYTES[by] > LIMIT_BYTES.stranger && (declared === 0 || declared > LIMIT_BYTES.stranger);
  try {
    await open.readWhole(request, isLarge, () => upTo(LIMIT_BYTES[by], request, read(request, response, by)));
  } catch (error) {
    // A parser that gave up has stopped the stream.
    dropRest(request);
    throw error;
  }
}
