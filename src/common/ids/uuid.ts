import { randomUUID } from 'node:crypto';

const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new random UUID v4, canonical form. */
export const newId = (): string => randomUUID();

/** Canonical lower-case hyphenated form of any accepted spelling (accounts §1.3), or null. */
export function canonicalUuid(text: string): string | null {
  let hex = text.trim().toLowerCase();
  if (hex.startsWith('urn:uuid:')) hex = hex.slice(9);
  if (hex.startsWith('{') && hex.endsWith('}')) hex = hex.slice(1, -1);
  if (HYPHENATED.test(hex)) return hex;
  if (!/^[0-9a-f]{32}$/.test(hex)) return null;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const isUuid = (text: string): boolean => canonicalUuid(text) !== null;
