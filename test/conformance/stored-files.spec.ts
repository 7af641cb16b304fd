import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource, SourceUnreadable } from '../../crawler/qa/source-file.js';
import { readRange } from '../../formats/zip/byte-source.js';
import { WORK_FILES } from '../../crawler/protocol.js';
import { placeSeedFile } from '../../src/drivers/local/run/run-inputs.js';
import { WorkDir } from '../../src/drivers/local/work-dir.js';

describe('a file of a storage', () => {
  const servers: Server[] = [];
  let canary: string;
  let storage: string;
  let reached: number;
  let dir: WorkDir;
  let root: string;

  async function listen(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  beforeEach(async () => {
    reached = 0;
    canary = await listen((_request, response) => {
      reached++;
      response.writeHead(206, { 'content-range': 'bytes 0-5/6' }).end('secret');
    });
    storage = await listen((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: canary }).end();
      else response.writeHead(request.headers.range ? 206 : 200).end('stored');
    });
    root = await mkdtemp(join(tmpdir(), 'muniment-stored-'));
    dir = new WorkDir(join(root, 'job'), undefined);
    await dir.create();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    await rm(root, { recursive: true });
  });

  const source = (url: string, guarded: boolean) =>
    openSource(
      { name: 'a.wacz', url, sizeBytes: 6, guarded },
      (path) => path,
      (each) => each.url,
    ).then((file) => readRange(file, 0, 6));
  const seeds = async (url: string, isGuarded: boolean) => {
    await placeSeedFile(dir, url, isGuarded);
    return readFile(join(dir.path, WORK_FILES.seedFile));
  };

  it('is read where the deployment has its storage, private or not', async () => {
    expect(String(await source(storage, false))).toBe('stored');
    expect(String(await seeds(storage, false))).toBe('stored');
  });

  it('is not looked for where the storage sends the reader', async () => {
    for (const guarded of [true, false]) {
      await expect(source(`${storage}moved`, guarded)).rejects.toThrow(SourceUnreadable);
      await expect(seeds(`${storage}moved`, guarded)).rejects.toThrow('The seed file could not be read');
    }
    expect(reached).toBe(0);
  });

  it("is not read at a private address that an org's own storage has", async () => {
    await expect(source(canary, true)).rejects.toThrow(SourceUnreadable);
    await expect(seeds(canary, true)).rejects.toThrow('The seed file could not be read');
    expect(reached).toBe(0);
  });
});
