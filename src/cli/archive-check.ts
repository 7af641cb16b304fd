import type { INestApplicationContext } from '@nestjs/common';
import { Invariants } from '../invariants/invariants.js';
import type { Violation } from '../invariants/violation.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

/** Most violations that are printed; the others are counted. */
const MOST_SHOWN = 200;

/** Recounts the archive. @returns what was checked. @throws an Error with the number of violations */
export async function checkArchive(context: CliContext): Promise<string> {
  let violations = 0;
  const recount = (app: INestApplicationContext) =>
    app.get(Invariants, { strict: false }).check((violation) => {
      violations += 1;
      if (violations <= MOST_SHOWN) context.terminal.complain(describe(violation));
    });
  const checked = await withApp(context, recount, { lookOnly: true });
  const { orgs, workflows, collections, items, files, objects, auditDays } = checked;
  const looked =
    `${orgs} orgs, ${workflows} workflows, ${collections} collections and ${items} items recounted, ` +
    `${files} files and ${objects} objects compared, ${auditDays} days of the audit log verified`;
  if (violations > 0) throw new Error(`${violations} violations; ${looked}`);
  return looked;
}

const describe = ({ subject, oid, id, field, stored, expected }: Violation): string =>
  `        ${subject} ${id}${oid && oid !== id ? ` of org ${oid}` : ''}: ${field} ${String(stored)}, not ${String(expected)}`;
