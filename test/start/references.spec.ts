import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './load.js';

/** The documents that code cites by section, and where they are. */
const DOCUMENTS: Record<string, string> = {
  seed: 'docs/contract/seed.md',
  accounts: 'docs/contract/accounts.md',
  archive: 'docs/contract/archive.md',
  crawling: 'docs/contract/crawling.md',
  'web-client': 'docs/contract/web-client.md',
  crawler: 'docs/design/crawler.md',
};
/** Standards, which are not ours to keep. */
const STANDARD = /(?:RFC \d+|WACZ [\d.]+|WARC [\d.]+|APPNOTE [\d.]+|CDXJ [\d.]+),?$/;
const OWN = /(?:^|[^\w-])(?:(?:docs\/)?(?:spec|contract|design)\/)?([\w-]+)(?:\.md)?`?,?$/;
const SECTION = /§+ ?(\d+(?:\.\d+)*)/g;
/** What may stand between two sections of one document: `§2.3 step 4, §3 and §5`. */
const LIST = /^[^.§()]{0,20}$/;

interface Citation {
  readonly place: string;
  readonly document: string;
  readonly section: string;
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const files = ['src', 'crawler', 'test', 'formats']
  .filter((folder) => existsSync(path.join(ROOT, folder)))
  .flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  )
  .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !file.endsWith('references.spec.ts'));

/** Comments may break between a document's name and its section. */
const unwrapped = (text: string): string => text.replace(/\n\s*(?:\*|\/\/) /g, ' ');

function citationsIn(file: string): Citation[] {
  const text = unwrapped(read(file));
  const found: Citation[] = [];
  let last: { document: string; end: number } | null = null;
  for (const match of text.matchAll(SECTION)) {
    const before = text.slice(Math.max(0, match.index - 60), match.index).trimEnd();
    if (STANDARD.test(before)) {
      last = null;
      continue;
    }
    const named = OWN.exec(before)?.[1]?.toLowerCase() ?? '';
    const goesOn: boolean = !(named in DOCUMENTS) && last !== null && LIST.test(text.slice(last.end, match.index));
    const document: string = goesOn && last ? last.document : named;
    last = { document, end: match.index + match[0].length };
    found.push({ place: `${file}: …${before.slice(-30)} ${match[0]}`, document, section: match[1] ?? '' });
  }
  return found;
}

const citations = files.flatMap(citationsIn);
const sectionsOf = new Map(
  Object.entries(DOCUMENTS).map(([name, file]) => [
    name,
    new Set([...read(file).matchAll(/^(?:#{2,4}|\|) (\d+(?:\.\d+)*)\.? /gm)].map(([, section]) => section)),
  ]),
);

describe('what the code cites', () => {
  it('by section is a document of this repository, and a section that it has', () => {
    expect(citations.length).toBeGreaterThan(300);
    const lost = citations.filter(({ document, section }) => !sectionsOf.get(document)?.has(section));
    expect(lost.map(({ place }) => place)).toEqual([]);
  });

  it('as a decision, D and a number, is in the table of accounts §17', () => {
    const decided = new Set([...read('docs/contract/accounts.md').matchAll(/^\| (D\d+) \|/gm)].map(([, name]) => name));
    const cited = files.flatMap((file) =>
      [...unwrapped(read(file)).matchAll(/(?:decision |\(|, |\[|Contract: |accounts §17,? )(D\d{1,2})\b/g)].map(
        ([, name]) => ({ file, name }),
      ),
    );
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter(({ name }) => !decided.has(name))).toEqual([]);
  });

  it('as an ADR is one of docs/adr', () => {
    const known = new Set(readdirSync(path.join(ROOT, 'docs/adr')).map((name) => Number(name.slice(0, 4))));
    const cited = files.flatMap((file) =>
      [...read(file).matchAll(/(?:\bADR |\badr\/)0*(\d+)/g)].map(([, number]) => ({ file, number: Number(number) })),
    );
    expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
  });
});

describe('the contract', () => {
  it('is listed in its own README, and links to files that exist', () => {
    const readme = read('docs/contract/README.md');
    for (const file of readdirSync(path.join(ROOT, 'docs/contract'))) {
      if (file !== 'README.md') expect(readme).toContain(`(${file})`);
      for (const [, target = ''] of read(`docs/contract/${file}`).matchAll(/\]\((?!https?:)([^)#]+\.\w+)\)/g))
        expect([file, target, existsSync(path.join(ROOT, 'docs/contract', target))]).toEqual([file, target, true]);
    }
  });
});
