import { BROWSER_ID } from '../../common/ids/browser-id.js';
import { canonicalItemId } from '../../common/ids/item-id.js';

/** What parameters of routes name. The others are no ids, or nothing that a log may have: a token of an invite. */
const KINDS: Readonly<Record<string, string>> = {
  accountId: 'serviceAccount',
  browserid: 'browser',
  cid: 'workflow',
  coll_id: 'collection',
  crawl_id: 'item',
  file_id: 'file',
  job_id: 'job',
  keyId: 'apiKey',
  notificationid: 'webhook',
  page_id: 'page',
  passkeyId: 'passkey',
  profileid: 'profile',
  qa_run_id: 'qaRun',
  sessionId: 'session',
  upload_id: 'upload',
};
const JOB_ID = /^[a-z]+(?:-[a-z]+)*-[0-9a-f-]{8,64}$/;

export interface AuditTarget {
  readonly targetKind: string | null;
  readonly target: string | null;
}
export const NO_TARGET: AuditTarget = { targetKind: null, target: null };

/** The text if it looks like an id of the service's; anybody may write anything into a path. */
export const idIn = (text: string): string | null =>
  canonicalItemId(text) ?? (BROWSER_ID.test(text) || JOB_ID.test(text) ? text : null);

/** What a request is about: the last thing that its path names. */
export function targetOf(params: Readonly<Record<string, unknown>>): AuditTarget {
  for (const name of Object.keys(params).reverse()) {
    const targetKind = KINDS[name];
    const value = params[name];
    const target = targetKind !== undefined && typeof value === 'string' ? idIn(value) : null;
    if (targetKind !== undefined && target !== null) return { targetKind, target };
  }
  return NO_TARGET;
}
