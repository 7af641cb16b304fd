import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';

import { InputRefused } from '../common/validation/issue.js';
import { UploadFailed } from '../files/files.errors.js';

/** Name of the file parts. Contract: archive.md §4. */
const FIELD = 'uploads';
/** Files of one form; an item with more is better uploaded one by one. */
const MAX_FILES = 1000;
/** Texts beside the files are not looked at. */
const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 64 * 1024;

/**
 * Hands over the files of a form one by one as they arrive. The next one comes when `take` has read the previous one.
 * Resolves when the form is over.
 * @throws InputRefused 422 when the form has no file; what `take` throws; UploadFailed for a form that is broken,
 *   breaks off, or has too many files
 */
export async function eachFormFile(
  request: IncomingMessage,
  take: (file: Readable, originalName: string) => Promise<void>,
): Promise<void> {
  const parser = open(request);
  let failure: unknown;
  let last: Promise<void> = Promise.resolve();
  let count = 0;
  let isEmpty = true;
  await new Promise<void>((resolve) => {
    const fail = (error: unknown): void => {
      failure ??= error;
      request.unpipe(parser);
      // What is still on its way is read and dropped, so that the caller gets the answer.
      request.resume();
      resolve();
    };
    const failBroken = (error: Error): void => {
      fail(isEmpty ? missingFiles() : new UploadFailed(`the form is broken: ${error.message}`));
    };
    parser.on('file', (field, file, { filename }) => {
      if (field !== FIELD || failure) {
        file.resume();
        return;
      }
      count += 1;
      // Before who reads the file hears of it.
      file.once('error', failBroken);
      // The next file begins to arrive while the one before is still being made durable.
      last = last
        .then(() => (failure === undefined ? take(file, filename ?? '') : undefined))
        .catch(fail)
        .finally(() => file.resume());
    });
    parser.once('error', failBroken);
    parser.once('filesLimit', () => fail(new UploadFailed(`more than ${MAX_FILES} files`)));
    parser.once('close', resolve);
    request.once('error', fail);
    request.once('close', () => {
      if (!request.readableEnded) fail(new UploadFailed('the connection broke off'));
    });
    request.once('data', () => (isEmpty = false));
    request.pipe(parser);
  });
  await last;
  if (failure !== undefined) throw failure as Error;
  if (count === 0) throw missingFiles();
}

function open(request: IncomingMessage): busboy.Busboy {
  try {
    const limits = { files: MAX_FILES, fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES };
    return busboy({ headers: request.headers, defParamCharset: 'utf8', preservePath: true, limits });
  } catch {
    throw missingFiles(); // not a multipart form
  }
}

function missingFiles(): InputRefused {
  return new InputRefused([{ type: 'missing', loc: ['body', FIELD], msg: 'Field required', input: null }]);
}
