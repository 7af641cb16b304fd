import { canonicalItemId } from '../../common/ids/item-id.js';
import { InputRefused, invalidInput } from '../../common/validation/issue.js';
import { parseUploadInput, type UploadInput } from '../upload-input.js';

export type TusMetadata = Record<string, string | null>;

const MAX_NAME = 1000;

/**
 * Reads `Upload-Metadata`. It has the parameters of the other endpoints under the same names.
 * @throws InputRefused 422
 */
export function parseTusMetadata(metadata: TusMetadata): {
  filename: string;
  replaceId: string | null;
  input: UploadInput;
} {
  const loc = ['header', 'Upload-Metadata'];
  const filename = metadata['filename'] ?? '';
  if (filename === '')
    throw new InputRefused([{ type: 'missing', loc: [...loc, 'filename'], msg: 'Field required', input: null }]);
  if (filename.length > MAX_NAME) throw invalidInput([...loc, 'filename'], `at most ${MAX_NAME} characters`, filename);
  const wanted = metadata['replaceId'] ?? '';
  const replaceId = wanted === '' ? null : canonicalItemId(wanted);
  if (wanted !== '' && replaceId === null) throw invalidInput([...loc, 'replaceId'], 'not the id of an item', wanted);
  const query = new URLSearchParams();
  for (const name of ['name', 'description', 'collections', 'tags']) {
    // A query's texts are decoded once more; these were not encoded.
    const value = metadata[name];
    if (value) query.append(name, encodeURIComponent(value));
  }
  return { filename, replaceId, input: parseUploadInput(query) };
}
