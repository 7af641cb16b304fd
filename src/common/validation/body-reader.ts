import express, { type Request, type RequestHandler, type Response } from 'express';
import busboy from 'busboy';
import { DomainError } from '../errors/domain-error.js';
import { InputRefused } from './issue.js';
import type { BodyKind } from './body-kind.js';
import { noteDecimals } from './written-decimals.js';

/** A workflow with 100,000 seeds is about 10 MB; more belongs into a seed file. */
const JSON_LIMIT_BYTES = 32 * 1024 * 1024;
const FORM_LIMIT_BYTES = 64 * 1024;

class BodyTooLarge extends DomainError {
  readonly kind = 'too-large';
  readonly detail = 'request_body_too_large';
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const jsonParser = express.json({
  strict: false,
  limit: JSON_LIMIT_BYTES,
  verify: noteDecimals,
  type: (req) => !req.headers['content-type'] || JSON_TYPE.test(req.headers['content-type']),
});
const textParser = express.text({ limit: JSON_LIMIT_BYTES, type: () => true });
const formParser = express.urlencoded({ extended: false, limit: FORM_LIMIT_BYTES });

interface ParserFailure extends Error {
  type?: string;
  status?: number;
  body?: string;
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

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function readMultipartFields(request: Request): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: Record<string, string> = {};
    const limits = { fieldSize: FORM_LIMIT_BYTES, fields: 50, files: 0, parts: 50 };
    const parser = busboy({ headers: request.headers, limits });
    parser.on('field', (name, value) => (fields[name] = value));
    parser.on('close', () => resolve(fields));
    parser.on('error', reject);
    request.pipe(parser);
  });
}

async function readForm(request: Request, response: Response): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (/^multipart\/form-data\s*;/i.test(type)) {
    try {
      request.body = withoutEmpty(await readMultipartFields(request));
    } catch {
      // Busboy throws on a malformed envelope: nothing was sent that could be read.
      request.body = {};
    }
    return;
  }
  await run(formParser, request, response);
  request.body = withoutEmpty((request.body as Record<string, unknown> | undefined) ?? {});
}

/** An empty form field is an absent one, as in the reference. */
const withoutEmpty = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

async function readJson(request: Request, response: Response): Promise<void> {
  const type = request.headers['content-type'];
  if (!hasBody(request)) {
    request.body = undefined;
    return;
  }
  await run(!type || JSON_TYPE.test(type) ? jsonParser : textParser, request, response);
}

/** Reads the body as the handler declared it, before anything else is judged. Contract: accounts §1.2, §1.3. */
export async function readRequestBody(kind: BodyKind, request: Request, response: Response): Promise<void> {
  if (kind === 'raw') return;
  await (kind === 'form' ? readForm(request, response) : readJson(request, response));
}
