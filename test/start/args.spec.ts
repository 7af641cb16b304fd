import path from 'node:path';
import { loadScript, ROOT } from './load.js';

interface Options {
  port: number;
  host: string;
  dataDir: string;
  crawl: { url: string; scope: string; limit: number; windows: number | null } | null;
}
const { readArgs, UsageError } = await loadScript<{
  readArgs: (argv: string[], env: Record<string, string>) => Options;
  UsageError: new () => Error;
}>('up/args.mjs');

describe('the command line of npm run up', () => {
  it('listens on this machine only, port 8000, data beside the code, when nothing is given', () => {
    const options = readArgs([], {});
    expect(options).toMatchObject({ host: '127.0.0.1', port: 8000, crawl: null });
    expect(options.dataDir).toBe(path.join(ROOT, 'data'));
  });

  it('prefers an argument to the environment, and the environment to the default', () => {
    const env = { PORT: '9000', HOST: '0.0.0.0', DATA_DIR: '/from/env' };
    expect(readArgs(['--port', '9100'], env)).toMatchObject({ port: 9100, host: '0.0.0.0', dataDir: '/from/env' });
  });

  it('crawls with the scope of the API unless told otherwise', () => {
    const { crawl } = readArgs(['--crawl', 'https://example.com/a', '--limit', '20', '--windows', '2'], {});
    expect(crawl).toEqual({ url: 'https://example.com/a', scope: 'prefix', limit: 20, windows: 2 });
  });

  it('takes an address without a scheme as https', () => {
    expect(readArgs(['--crawl', 'example.com'], {}).crawl?.url).toBe('https://example.com/');
  });

  it.each([
    [['--port', '0']],
    [['--port', '65536']],
    [['--port', '80a']],
    [['--limit', '5']],
    [['--crawl', 'ftp://example.com/']],
    [['--crawl', 'https://example.com/', '--scope', 'world']],
    [['--crawl', 'https://example.com/', '--limit', '-1']],
    [['--nonsense']],
    [['stray']],
  ])('refuses %j', (argv) => {
    expect(() => readArgs(argv, {})).toThrow(UsageError);
  });
});
