import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackupRestorer } from '../backup/backup-restorer.js';
import { RestoredDatabaseRepository } from '../backup/data/restored-database.repository.js';
import { BackupTarget } from '../backup/target/backup-target.js';
import { loadConfig } from '../config/load-config.js';
import { createApp } from '../create-app.js';
import { Invariants } from '../invariants/invariants.js';
import type { CliContext } from './cli-context.js';
import { signalled } from './signalled.js';

/** MongoDB's names of databases have at most 63 bytes, of which `_rehearsal_` and the name of the scratch are 23. */
const MOST_NAME = 40;

interface Rehearsed {
  readonly keyFile: string | null;
  readonly at: string | null;
  readonly scratch: string | undefined;
  /** Of the scratch database and folder; what an earlier rehearsal left under it is deleted. */
  readonly name: string | undefined;
}

/**
 * Restores a backup where it disturbs nobody, recounts it and deletes it again. Every storage is a folder meanwhile.
 * @returns whether all is there and agrees
 */
export async function rehearse(
  context: CliContext,
  source: string,
  { keyFile, at, scratch, name = randomBytes(4).toString('hex') }: Rehearsed,
): Promise<boolean> {
  const { terminal } = context;
  const from = await BackupTarget.open(source, keyFile);
  const manifest = await from.pick(at);
  const parent = scratch ?? tmpdir();
  await mkdir(parent, { recursive: true });
  const dataDir = join(parent, `muniment-rehearsal-${name}`);
  await rm(dataDir, { recursive: true, force: true });
  // Not `recursive`: it would take a folder that somebody else has put in its place.
  await mkdir(dataDir, { mode: 0o700 });
  try {
    const app = await createApp(scratchConfig(context, dataDir, name), { schedules: false, lookOnly: true });
    try {
      await app.get(RestoredDatabaseRepository, { strict: false }).drop();
      const tell = (line: string): void => terminal.print(line);
      const order = { from, manifest, verify: true, secrets: 'leave', tell } as const;
      const began = performance.now();
      const { missing } = await signalled((signal) => app.get(BackupRestorer).restore({ ...order, signal }));
      const tookSeconds = Math.round((performance.now() - began) / 1000);
      let violations = 0;
      const { items, objects } = await app.get(Invariants, { strict: false }).check((violation) => {
        violations += 1;
        if (violations <= 200) terminal.complain(JSON.stringify(violation));
      });
      terminal.print(
        `${manifest.id}: restored in ${String(tookSeconds)} s; ${String(items)} items recounted, ${String(objects)} ` +
          `objects compared, ${String(violations)} violations, ${String(missing)} objects missing`,
      );
      return violations === 0 && missing === 0;
    } finally {
      await app.get(RestoredDatabaseRepository, { strict: false }).drop();
      await app.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function scratchConfig({ variables }: CliContext, dataDir: string, scratchName: string): ReturnType<typeof loadConfig> {
  const config = loadConfig({
    ...variables,
    DATA_DIR: dataDir,
    CRAWL_DRIVER: 'fake',
    LOG_LEVEL: 'error',
    METRICS_PORT: '0',
  });
  const name = `${config.database.name.slice(0, MOST_NAME)}_rehearsal_${scratchName}`;
  return {
    ...config,
    database: { ...config.database, name },
    storage: { ...config.storage, isScratch: true },
  };
}
