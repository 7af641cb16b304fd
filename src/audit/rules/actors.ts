import type { Principal } from '../../common/access/access.js';
import type { AuditEvent } from '../data/audit-event.schema.js';

export type Actor = Pick<AuditEvent, 'actorKind' | 'actor' | 'key'>;

export const NOBODY: Actor = { actorKind: 'nobody', actor: null, key: null };
export const SYSTEM: Actor = { actorKind: 'system', actor: null, key: null };
export const COMMAND_LINE: Actor = { actorKind: 'cli', actor: null, key: null };
/** Somebody who is no caller yet, or no longer: who has just logged in, set a password, joined. */
export const person = (userId: string): Actor => ({ actorKind: 'user', actor: userId, key: null });

/** Who a caller is. The automation client acts as a superuser, who has nothing to do with it. */
export function actorOf(caller: Principal | undefined): Actor {
  if (!caller) return NOBODY;
  if (caller.isBySecret) return { actorKind: 'secret', actor: null, key: null };
  const { id, key } = caller;
  return { actorKind: key?.serviceRole === undefined ? 'user' : 'service', actor: id, key: key?.id ?? null };
}
