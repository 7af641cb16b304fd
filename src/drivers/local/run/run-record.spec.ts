import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunRecords, newRecord, RecordFile } from './run-record.js';

const record = newRecord({
  jobId: 'job',
  oid: 'org',
  storage: { ref: { name: 'default', custom: false }, keyPrefix: '' },
  sinceMs: 0,
});

/** Records whose saves a test ends by hand. */
class HandMadeRecords extends RunRecords {
  begun = 0;
  private readonly ends: { resolve: () => void; reject: (error: unknown) => void }[] = [];

  override save(): Promise<void> {
    this.begun += 1;
    return new Promise((resolve, reject) => this.ends.push({ resolve, reject }));
  }

  end(error?: Error): void {
    const save = this.ends.shift();
    if (error) save?.reject(error);
    else save?.resolve();
  }
}

/** Lets all work run that waits for nothing but promises. */
const turns = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the file of a record', () => {
  it('is written by one save after the other, also after one that failed', async () => {
    const records = new HandMadeRecords('unused');
    const file = new RecordFile(records, record);
    const [first, second] = [file.save(), file.save()];
    await turns();
    expect(records.begun).toBe(1);
    records.end(new Error('full'));
    await expect(first).rejects.toThrow('full');
    await turns();
    expect(records.begun).toBe(2);
    records.end();
    await second;
  });

  it('is not written any more once it is closed, by a save that waited either', async () => {
    const records = new HandMadeRecords('unused');
    const file = new RecordFile(records, record);
    const [first, second] = [file.save(), file.save()];
    await turns();
    file.close();
    records.end();
    await Promise.all([first, second, file.save(), file.settled()]);
    expect(records.begun).toBe(1);
  });
});

describe('a record', () => {
  it('goes with all that was logged for its job', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'records-'));
    const records = new RunRecords(folder);
    await records.save(record);
    for (const name of ['job.log', 'job.tunnel.log', 'other.log']) await writeFile(join(folder, name), 'said');
    await records.delete('job');
    expect(await readdir(folder)).toEqual(['other.log']);
    await rm(folder, { recursive: true });
  });
});
