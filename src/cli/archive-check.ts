import type { INestApplicationContext } from '@nestjs/common';
import { Invariants } from '../invariants/invariants.js';
import type { ArchivesRead } from '../invariants/archive-look.js';
import type { Violation } from '../invariants/violation.js';
import type { CliContext } from './cli-context.js';
import { withApp } from './with-app.js';

/** Most violations that are printed; the others are counted. */
const MOST_SHOWN = 200;
/** How often it is said how far the reading of archives has come. */
const PROGRESS_MS = 10_000;

/**
 * Recounts the archive.
 * @param options `archives`: what items refer to is also read from their WACZs
 * @returns what was checked
 * @throws an Error with the number of violations
 */
export async function checkArchive(context: CliContext, { archives = false } = {}): Promise<string> {
  let violations = 0;
  const recount = (app: INestApplicationContext) =>
    app.get(Invariants, { strict: false }).check(
      (violation) => {
        violations += 1;
        if (violations <= MOST_SHOWN) context.terminal.complain(describe(violation));
      },
      archives ? { archives: { progress: progressOf(context) } } : {},
    );
  const checked = await withApp(context, recount, { lookOnly: true });
  const { orgs, workflows, collections, items, files, objects, auditDays } = checked;
  const looked =
    `${orgs} orgs, ${workflows} workflows, ${collections} collections and ${items} items recounted, ` +
    `${files} files and ${objects} objects compared, ${auditDays} days of the audit log verified` +
    (checked.archives ? `, ${ofArchives(checked.archives)}` : '');
  if (violations > 0) throw new Error(`${violations} violations; ${looked}`);
  return looked;
}

/** Says now and then how far it has come. */
function progressOf({ terminal }: CliContext): (read: ArchivesRead) => void {
  let saidAt = performance.now();
  return (read) => {
    if (performance.now() - saidAt < PROGRESS_MS) return;
    saidAt = performance.now();
    terminal.print(`        ${ofArchives(read)}`);
  };
}

const ofArchives = ({ indexes, lines }: ArchivesRead): string => `${indexes} indexes of archives read (${lines} lines)`;

const describe = ({ subject, oid, id, field, stored, expected }: Violation): string =>
  `        ${subject} ${id}${oid && oid !== id ? ` of org ${oid}` : ''}: ${field} ${String(stored)}, not ${String(expected)}`;
