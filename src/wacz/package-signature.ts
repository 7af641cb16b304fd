import type { SignatureCheck } from '../common/package-check.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import { DATAPACKAGE, DIGEST, entriesOf, jsonOf, text } from './package-check.js';
import { checkSignature } from './signature.js';

/** What the last two members of a WACZ say. */
export interface PackageSignature {
  /** Null when the package is not signed. */
  readonly check: SignatureCheck | null;
  /** The signature itself, base64. */
  readonly signature: string | null;
  /** The crawler and the browser, as the package names them. */
  readonly software: string | null;
  readonly browser: string | null;
}

const NOTHING: PackageSignature = { check: null, signature: null, software: null, browser: null };

/**
 * Reads and verifies the signature of a package, without the members that it describes.
 * @throws StorageError; an unreadable package has no signature
 */
export async function packageSignature(archive: ZipArchive): Promise<PackageSignature> {
  try {
    const problems: string[] = [];
    const entries = await entriesOf(archive, new Set([DATAPACKAGE, DIGEST]), problems);
    const datapackage = await jsonOf(archive, entries.get(DATAPACKAGE));
    const digest = await jsonOf(archive, entries.get(DIGEST));
    const check = digest ? checkSignature(digest.value, datapackage?.bytes ?? null) : null;
    const signed = (digest?.value as { signedData?: unknown } | null | undefined)?.signedData;
    return {
      // Readers differ in which of two members with one name they take.
      check: check && { ...check, valid: check.valid && problems.length === 0 },
      signature: check ? text(signed, 'signature') : null,
      software: text(datapackage?.value, 'software'),
      browser: text(datapackage?.value, 'browser'),
    };
  } catch (error) {
    if (error instanceof UnreadableWacz) return NOTHING;
    throw error;
  }
}
