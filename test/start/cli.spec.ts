import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { runCli } from '../../src/cli/cli.js';

let dataDir: string;
let browser: string;
let printed: string[];
let complained: string[];
let started: string[][];

const cli = (argv: readonly string[], variables: Record<string, string> = {}, chromium: string | null = browser) =>
  runCli(argv, {
    launcher: {
      up: (args) => {
        started.push([...args]);
        return Promise.resolve(7);
      },
      chromiumOnThisMachine: () => chromium,
      withDatabase: (work) => work({}),
    },
    terminal: { print: (line) => void printed.push(line), complain: (line) => void complained.push(line) },
    variables: {
      DATA_DIR: dataDir,
      MONGO_DB_URL: process.env.MUNIMENT_TEST_MONGO_URL ?? '',
      MONGO_DB_NAME: `cli_${process.pid}`,
      ...variables,
    },
    exitCode: 0,
  });

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'muniment-cli-'));
  browser = path.join(dataDir, 'browser');
  await writeFile(browser, '#!/bin/sh\necho Chromium 156.0.1\n', { mode: 0o755 });
  printed = [];
  complained = [];
  started = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('muniment', () => {
  it.each([[[]], [['--help']], [['check', '--help']], [['migrate', '--help']], [['crawl', '--help']]])(
    'explains itself: %j',
    async (argv) => {
      await cli(argv);
      expect([...printed, ...complained].join('\n')).toContain('Usage: muniment');
    },
  );

  it('refuses a command it does not know with exit code 2', async () => {
    expect(await cli(['chekc'])).toBe(2);
    expect(complained.join()).toContain("unknown command 'chekc'");
  });

  it('hands the options of up to the starter as they are', async () => {
    expect(await cli(['up', '--port', '9000', '--help'])).toBe(7);
    expect(started).toEqual([['--port', '9000', '--help']]);
  });

  it('crawls by the starter', async () => {
    expect(await cli(['crawl', 'https://example.com/', '--limit', '3'])).toBe(7);
    expect(started).toEqual([['--crawl', 'https://example.com/', '--limit', '3']]);
  });
});

describe('muniment check', () => {
  it('passes where everything is at hand', async () => {
    const code = await cli(['check']);
    expect([code, complained]).toEqual([0, []]);
    expect(printed.map((line) => line.slice(0, 16).trim())).toEqual([
      'ok      settings',
      'ok      data fol',
      'ok      database',
      'ok      browser:',
      'ok      archive:',
    ]);
    expect(printed.join()).toContain('Chromium 156.0.1');
  });

  it('names the setting that is wrong', async () => {
    expect(await cli(['check'], { PORT: 'eighty' })).toBe(1);
    expect(complained.join()).toContain('PORT');
  });

  it('says that the database does not answer', async () => {
    expect(await cli(['check'], { MONGO_DB_URL: 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=200' })).toBe(1);
    expect(complained.join()).toMatch(/FAILED {2}database: .*127\.0\.0\.1:1/);
    // A person without a database of his own is told what to do, not what a socket said.
    expect(complained.join()).toContain('start the service');
  });

  it('says that there is no browser, and does not look for one when crawls run elsewhere', async () => {
    expect(await cli(['check'], {}, null)).toBe(1);
    expect(complained.join()).toContain('CHROMIUM_PATH');
    expect(await cli(['check'], { CRAWL_DRIVER: 'fake' }, null)).toBe(0);
  });

  it('creates a missing data folder for its owner alone', async () => {
    const fresh = path.join(dataDir, 'new');
    expect(await cli(['check'], { DATA_DIR: fresh })).toBe(0);
    expect((await stat(fresh)).mode & 0o777).toBe(0o700);
  });

  it('plans what a start would change, and changes nothing', async () => {
    const database = { MONGO_DB_NAME: `cli_plan_${process.pid}` };
    expect(await cli(['migrate', '--plan'], database)).toBe(0);
    expect(printed.join('\n')).toMatch(
      /^record schema version 0058\ncreate index .*\n(?:.*\n)*start-up steps.*superuser/,
    );
    const connection = await mongoose
      .createConnection(process.env.MUNIMENT_TEST_MONGO_URL ?? '', { dbName: database.MONGO_DB_NAME })
      .asPromise();
    try {
      expect(await connection.db?.listCollections().toArray()).toEqual([]);
      await connection.collection('version').insertOne({ version: '9999' });
      for (const argv of [['migrate', '--plan'], ['migrate'], ['org', 'list'], ['backup', path.join(dataDir, 'b')]])
        await expect(cli(argv, database)).rejects.toThrow('written by a newer program');
    } finally {
      await connection.dropDatabase();
      await connection.close();
    }
  });
});
