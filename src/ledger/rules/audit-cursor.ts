import { invalid } from '../../common/errors/domain-error.js';
import type { AuditPlace } from '../data/chain.facts.js';

/** The cursor is none that a list has given. */
export class InvalidCursor extends invalid('invalid_cursor') {}

const PLACE = /^(\d{1,15})\.([0-9a-f]{24})$/;

/** Clients take a cursor as it is. */
export const cursorOf = ({ at, id }: AuditPlace): string =>
  Buffer.from(`${String(at.getTime())}.${id}`).toString('base64url');

/** @throws InvalidCursor */
export function placeOf(cursor: string): AuditPlace {
  const [, ms, id] = PLACE.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (ms === undefined || id === undefined || Number.isNaN(new Date(Number(ms)).getTime())) throw new InvalidCursor();
  return { at: new Date(Number(ms)), id };
}
