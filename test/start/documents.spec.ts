import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { loadScript, ROOT } from './load.js';

interface Setting {
  name: string;
  initial: string;
  comment: string;
}
const { readSettings, withTable } = await loadScript<{
  readSettings: (source: string) => Setting[];
  withTable: (readme: string, settings: Setting[]) => string;
}>('settings-table.mjs');

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const settings = readSettings(read('src/config/env.ts'));

describe('README.md', () => {
  it('holds the current table of settings', () => {
    expect(withTable(read('README.md'), settings)).toBe(read('README.md'));
  });

  it('tells what each setting does', () => {
    expect(settings.length).toBeGreaterThan(50);
    expect(settings.filter(({ comment }) => comment === '')).toEqual([]);
  });

  it('links to files that exist', () => {
    const targets = [...read('README.md').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !exists(target))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const tree = /```\nsrc\/\n([\s\S]*?)```/.exec(read('docs/architecture.md'))?.[1] ?? '';
  const listed = [...tree.matchAll(/^ {2}([a-z-]+)\/ /gm)].map(([, room]) => room);

  it('lists the rooms in the order that the dependency rules enforce', () => {
    const rules = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const tiers = rules.forbidden.flatMap(({ name }) => (name.startsWith('tier-') ? [name.slice(5)] : []));
    // The topmost room has nobody above it and so no rule of its own.
    expect(listed.slice(0, -1)).toEqual(tiers);
  });

  it('knows every folder of src', () => {
    const folders = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).filter((e) => e.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !listed.includes(name))).toEqual([]);
  });
});

describe('docs/dependencies.md', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('lists every production dependency in the version that is used, and no other', () => {
    const listed = Object.fromEntries(rows.map(([, name = '', version]) => [name.replaceAll('`', ''), version]));
    expect(listed).toEqual(dependencies);
  });

  it('says of each when it was last released, its licence, why it is needed and by whom', () => {
    for (const [, , , released, ...rest] of rows) {
      expect(released).toMatch(/^20\d\d-\d\d-\d\d\b/);
      expect(rest.slice(0, 3)).not.toContain('');
    }
  });
});

function exists(file: string): boolean {
  return readdirSync(path.dirname(path.join(ROOT, file))).includes(path.basename(file));
}

describe('docs/migrate-from-browsertrix.md', () => {
  const rows = read('docs/migrate-from-browsertrix.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  // The YAML reader that @nestjs/swagger brings.
  const near = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
  const yaml = near('js-yaml') as { load: (text: string) => unknown };
  const values = yaml.load(read('deploy/helm/values.yaml')) as Record<string, unknown>;
  const names = new Set(settings.map(({ name }) => name));

  it('names values of our chart that there are', () => {
    expect(rows.length).toBeGreaterThan(12);
    const paths = rows.flatMap(([, , ours = '']) =>
      [...ours.matchAll(/`([a-z][\w3]*(?:\.[A-Za-z][\w]*)*)`/g)]
        .map(([, found = '']) => found)
        .filter((found) => !found.startsWith('env.') && found.split('.')[0]! in values),
    );
    expect(paths.length).toBeGreaterThan(6);
    const absent = paths.filter((dotted) => {
      let at: unknown = values;
      for (const key of dotted.split('.')) at = (at as Record<string, unknown> | undefined)?.[key];
      return at === undefined;
    });
    expect(absent).toEqual([]);
  });

  it('names settings that there are', () => {
    const named = rows.flatMap(([, , ours = '']) =>
      [...ours.matchAll(/`(?:env\.)?([A-Z][A-Z_]+)(\*?)`/g)].map(
        ([, name = '', star]) => [name, star === '*'] as const,
      ),
    );
    expect(named.length).toBeGreaterThan(10);
    const unknown = named.filter(([name, isFront]) =>
      isFront ? ![...names].some((each) => each.startsWith(name)) : !names.has(name),
    );
    expect(unknown).toEqual([]);
  });
});

describe('docs/logging.md', () => {
  const LOGGED = /\.(log|warn|error|debug|fatal)\(\{\s*event: '([a-z_]+)'/g;
  /** A line that is put together first, and logged by its name. */
  const PREPARED = /const (\w+) = \{\s*event: '([a-z_]+)'/g;
  const NAMED = /\bevent: '([a-z_]+)'\s*[,}]/g;
  const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => read(path.join('src', file)));
  const levelIn = (source: string, line: string): string =>
    new RegExp(`\\.(log|warn|error|debug|fatal)\\((?:\\{ \\.\\.\\.)?${line}\\b`).exec(source)?.[1] ?? 'unknown';

  const inCode = new Map<string, Set<string>>();
  const said = (event: string, level: string): void => {
    inCode.set(event, (inCode.get(event) ?? new Set()).add(level === 'log' ? 'info' : level));
  };
  for (const source of sources) {
    for (const [, level = '', event = ''] of source.matchAll(LOGGED)) said(event, level);
    for (const [, line = '', event = ''] of source.matchAll(PREPARED)) said(event, levelIn(source, line));
  }
  const rows = [
    ...read('docs/logging.md').matchAll(/^\| `([a-z_]+)` +\| ([a-z, ]+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm),
  ];

  it('tells what each event means and what to do, once, and of no other', () => {
    expect(inCode.size).toBeGreaterThan(120);
    expect(rows.map(([, event]) => event).sort()).toEqual([...inCode.keys()].sort());
  });

  it('has the levels of the code', () => {
    const levels = Object.fromEntries(rows.map(([, event, level]) => [event, level]));
    expect(levels).toMatchObject(
      Object.fromEntries([...inCode].map(([event, found]) => [event, [...found].sort().join(', ')])),
    );
  });

  it('is compared with all that the code logs', () => {
    const named = sources.flatMap((source) => [...source.matchAll(NAMED)].map(([, event = '']) => event));
    expect(named.filter((event) => !inCode.has(event))).toEqual([]);
  });

  it('names events, in its lists too, that there are', () => {
    const named = [...read('docs/logging.md').matchAll(/^\| `([a-z]+_[a-z_]+)`/gm)].map(([, event = '']) => event);
    expect(named.filter((event) => !inCode.has(event))).toEqual([]);
  });
});
