import { setTimeout as sleep } from 'node:timers/promises';

/** Stored data that contradicts the rest of the archive. */
export interface Violation {
  readonly subject:
    | 'org'
    | 'workflow'
    | 'collection'
    | 'item'
    | 'keptItem'
    | 'pages'
    | 'file'
    | 'object'
    | 'deletion'
    | 'upload'
    | 'event'
    | 'auditDay';
  readonly oid: string | null;
  /** Id of the document, or key of the object. */
  readonly id: string;
  readonly field: string;
  readonly stored: string | number | boolean | null;
  /** Result of a recount. */
  readonly expected: string | number | boolean | null;
}

type Figures = Readonly<Record<string, number | boolean | null | undefined>>;

/** One violation for each figure that differs from `expected`. A missing figure counts as 0. */
export function differences(
  of: Pick<Violation, 'subject' | 'oid' | 'id'>,
  stored: Figures,
  expected: Figures,
): Violation[] {
  return Object.keys(expected).flatMap((field) => {
    const [is, shouldBe] = [stored[field] ?? 0, expected[field] ?? 0];
    return is === shouldBe ? [] : [{ ...of, field, stored: is, expected: shouldBe }];
  });
}

const identityOf = (violation: Violation): string => JSON.stringify(violation);
const READINGS = 3;
const PAUSE_MS = 300;

/**
 * While the service works, a counter and its base are read at two moments. Only a difference in three readings in a row
 * counts.
 */
export async function persisting(read: () => Promise<Violation[]>): Promise<Violation[]> {
  let found = await read();
  for (let reading = 1; reading < READINGS && found.length > 0; reading++) {
    await sleep(PAUSE_MS);
    const before = new Set(found.map(identityOf));
    found = (await read()).filter((violation) => before.has(identityOf(violation)));
  }
  return found;
}
