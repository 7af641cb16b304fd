import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from './load.js';

const MAX_FILES = 25;
const MAX_DTO_FILES = 6;
/** Rooms whose folders are not parts of their work: of `common` each is one for itself, of the others they are adapters. */
const NO_PARTS = ['common', 'console', 'drivers', 'mail', 'storage', 'wacz'];

const { forbidden } = createRequire(import.meta.url)(path.join(ROOT, '.dependency-cruiser.cjs')) as {
  forbidden: { name: string; from: { path?: string } }[];
};
/** `room/folder` of every folder that has a place in its room's order, in that order. */
const ordered = forbidden
  .filter(({ name }) => name.startsWith('folder-'))
  .map(({ from }) => (from.path ?? '').replace(/^\^src\/|\/$/g, ''));

const entries = (folder: string) => readdirSync(path.join(ROOT, folder), { withFileTypes: true });
const foldersIn = (folder: string): string[] =>
  entries(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
const deep = (folder: string): string[] => [folder, ...foldersIn(folder).flatMap((name) => deep(`${folder}/${name}`))];
const sources = (folder: string): string[] =>
  entries(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));

describe('the layout', () => {
  it(`has at most ${String(MAX_FILES)} sources in a folder`, () => {
    const full = ['src', 'crawler', 'formats'].flatMap(deep).filter((folder) => sources(folder).length > MAX_FILES);
    expect(full).toEqual([]);
  });

  it('gives every folder of a room a place in its order', () => {
    const rooms = foldersIn('src').filter((room) => !NO_PARTS.includes(room));
    const folders = rooms.flatMap((room) => foldersIn(`src/${room}`).map((name) => `${room}/${name}`));
    expect(folders.length).toBeGreaterThan(30);
    expect(folders.filter((folder) => !ordered.includes(folder))).toEqual([]);
  });

  it('keeps the shapes of the wire in one file for each resource, not for each shape', () => {
    const thin = foldersIn('src').filter((room) => {
      const dto = foldersIn(`src/${room}`).includes('dto') ? sources(`src/${room}/dto`) : [];
      return dto.length > MAX_DTO_FILES;
    });
    expect(thin).toEqual([]);
  });

  it('imports from Node, then from packages, then from its own files, in one way', () => {
    const files = ['src', 'crawler', 'formats', 'test'].flatMap((root) =>
      readdirSync(path.join(ROOT, root), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => path.join(root, name)),
    );
    const kind = (from: string): number => (from.startsWith('node:') ? 0 : from.startsWith('.') ? 2 : 1);
    const odd = files.filter((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      const [head = ''] = /^(?:\/\*\*[^]*?\*\/\n)?(?:import\b[^;]*;\n)*/.exec(text) ?? [];
      const imports = [...head.matchAll(/^import\b([^;]*?)'([^']+)';$/gm)];
      const kinds = imports.map(([, , from]) => kind(from ?? ''));
      const areOrdered = kinds.every((one, n) => n === 0 || one >= (kinds[n - 1] ?? 0));
      const onlyTypes = imports.some(([, what]) => /^ \{ type \w+(, type \w+)* \} from $/.test(what ?? ''));
      return !areOrdered || onlyTypes;
    });
    expect(files.length).toBeGreaterThan(1000);
    expect(odd).toEqual([]);
  });
});
