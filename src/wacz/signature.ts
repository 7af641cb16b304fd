import { createHash, createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto';

import type { SignatureCheck } from '../common/package-check.js';

const MAX_TEXT = 10_000;

/**
 * Checks `signedData` of a `datapackage-digest.json` (WACZ Signing and Verification 0.1): the text of the hash, signed
 * by an anonymous ECDSA key, or by the key of a domain's certificate.
 * @returns null when it is not signed
 */
export function checkSignature(digest: unknown, datapackage: Buffer | null): SignatureCheck | null {
  const signed = (digest as { signedData?: unknown } | null)?.signedData;
  if (typeof signed !== 'object' || signed === null) return null;
  const field = (name: string): string | null => {
    const value = (signed as Record<string, unknown>)[name];
    return typeof value === 'string' && value.length <= MAX_TEXT ? value : null;
  };
  const domain = field('domain');
  const publicKey = domain === null ? field('publicKey') : null;
  const key = domain === null ? keyOf(publicKey) : keyOfDomain(field('domainCert'), domain);
  const hash = datapackage ? `sha256:${createHash('sha256').update(datapackage).digest('hex')}` : null;
  const isOfThis = hash !== null && field('hash') === hash;
  return {
    valid: isOfThis && key !== null && isSignedBy(key, hash, field('signature') ?? ''),
    domain,
    publicKey,
    created: field('created'),
    software: field('software'),
  };
}

/** Whether a bare key, base64 of its SPKI form, signed this text. */
export function isSignedByKey(publicKey: string, message: string, signature: string): boolean {
  const key = keyOf(publicKey);
  return key !== null && isSignedBy(key, message, signature);
}

/** Browsers write the two numbers one after the other; other signers use ASN.1. */
function isSignedBy(key: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return (['ieee-p1363', 'der'] as const).some((dsaEncoding) => {
    try {
      return verify('sha256', Buffer.from(text), { key, dsaEncoding }, bytes);
    } catch {
      return false;
    }
  });
}

function keyOf(spki: string | null): KeyObject | null {
  if (spki === null) return null;
  try {
    const key = createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ec' ? key : null;
  } catch {
    return null;
  }
}

function keyOfDomain(pem: string | null, domain: string): KeyObject | null {
  if (pem === null) return null;
  try {
    const certificate = new X509Certificate(pem);
    return certificate.checkHost(domain) === undefined ? null : certificate.publicKey;
  } catch {
    return null;
  }
}
