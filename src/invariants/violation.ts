import { setTimeout as sleep } from 'node:timers/promises';

/** Something stored that is not what the rest of the archive says it must be. */
export interface Violation {
  readonly subject:
    'org' | 'workflow' | 'collection' | 'item' | 'pages' | 'file' | 'object' | 'deletion' | 'upload' | 'event';
  readonly oid: string | null;
  /** Id of the document, or key of the object. */
  readonly id: string;
  readonly field: string;
  readonly stored: string | number | boolean | null;
  /** What a recount gives. */
  readonly expected: string | number | boolean | null;
}

type Figures = Readonly<Record<string, number | boolean | null | undefined>>;

/** One violation for each figure of `expected` that is stored otherwise; what is not stored counts as 0. */
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
 * Beside a service at work a counter and what it counts are read at two moments. Only what three readings in a row say
 * alike is a violation.
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
