import { createHash } from 'node:crypto';
import { newId } from '../common/ids/uuid.js';

/** A token as handed out: a random UUID. Only its hash is stored (accounts §6.1). */
export const newInviteToken = newId;

/** Lower-case hex SHA-256 of the canonical token. */
export const inviteHash = (token: string): string => createHash('sha256').update(token).digest('hex');
