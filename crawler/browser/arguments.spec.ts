import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { browserArguments, PLAYWRIGHT_DISABLED } from './arguments.js';

it('repeats every feature Playwright switches off, for only the last list counts', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  const bundle = readFileSync(join(folder, 'lib', 'coreBundle.js'), 'utf8');
  const list = /disabledFeatures = \[([\s\S]*?)\]\.filter/.exec(bundle)?.[1] ?? '';
  const theirs = [...list.matchAll(/^\s*"(\w+)",?$/gm)].map((match) => match[1]);
  expect(theirs.length).toBeGreaterThan(5);
  expect([...PLAYWRIGHT_DISABLED]).toEqual(expect.arrayContaining(theirs));
});

it('sends everything through the guard, loopback included', () => {
  const args = browserArguments({ proxyUrl: 'http://127.0.0.1:9', userAgent: 'UA', webSecurity: true });
  expect(args).toEqual(
    expect.arrayContaining(['--proxy-server=http://127.0.0.1:9', '--proxy-bypass-list=<-loopback>']),
  );
  expect(args.filter((arg) => arg.startsWith('--disable-features='))).toHaveLength(1);
});
