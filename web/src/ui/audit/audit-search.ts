import type { Schemas } from '../../api/client';
import { textOf } from '../list-search';

type Outcome = Schemas['AuditOutcome'];

export const OUTCOMES: readonly Outcome[] = ['done', 'refused', 'failed', 'unknown', 'begun'];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What an audit log is narrowed by; it stands in the address. */
export interface AuditSearch {
  readonly outcome?: Outcome | undefined;
  /** The first day, in the person's time zone. */
  readonly from?: string | undefined;
  /** The last day. */
  readonly to?: string | undefined;
  /** Id of a person or a service account. */
  readonly user?: string | undefined;
  readonly action?: string | undefined;
  /** Id of what was acted on. */
  readonly target?: string | undefined;
}

export const NO_AUDIT_SEARCH: AuditSearch = {
  outcome: undefined,
  from: undefined,
  to: undefined,
  user: undefined,
  action: undefined,
  target: undefined,
};

/** Reads them from an address; what is malformed is left out. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
  const outcome = OUTCOMES.find((one) => one === search['outcome']);
  const texts = (['from', 'to', 'user', 'action', 'target'] as const).flatMap((name) => {
    const text = textOf(search[name]);
    const isDay = name === 'from' || name === 'to';
    return text && (!isDay || DAY.test(text)) ? [[name, text]] : [];
  });
  return { ...(outcome ? { outcome } : {}), ...(Object.fromEntries(texts) as AuditSearch) };
}
