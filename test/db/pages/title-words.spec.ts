import { readFileSync } from 'node:fs';
import type { Model } from 'mongoose';
import { parseTitleQuery, type TitleQuery } from '../../../src/pages/data/title-query.js';
import { phrasePattern } from '../../../src/pages/data/title-phrase.js';
import { titleIndexOf, wordsOf } from '../../../src/pages/data/title-words.facts.js';
import { Page, PageSchema } from '../../../src/pages/data/page.schema.js';
import { openTestDatabase, type TestDatabase } from '../../support/test-database.js';

interface ParsedText {
  terms: string[];
  negatedTerms: string[];
  phrases: string[];
  negatedPhrases: string[];
}

function parsedIn(plan: unknown): ParsedText | undefined {
  if (typeof plan !== 'object' || plan === null) return undefined;
  if ('parsedTextQuery' in plan) return plan.parsedTextQuery as ParsedText;
  for (const inner of Object.values(plan)) {
    const found = parsedIn(inner);
    if (found) return found;
  }
  return undefined;
}

const inOrder = (words: Iterable<string>): string[] => [...new Set(words)].filter((word) => word !== '').sort();

describe('words of titles are those of MongoDB', () => {
  let database: TestDatabase;
  let model: Model<Page>;

  beforeAll(async () => {
    database = await openTestDatabase();
    model = await database.model<Page>(Page.name, PageSchema);
  });
  afterAll(() => database?.close());

  const parsedByMongo = async (search: string): Promise<TitleQuery> => {
    const parsed = parsedIn(await model.collection.find({ $text: { $search: search } }).explain('queryPlanner'));
    if (!parsed) throw new Error('mongod does not tell how it reads a search');
    const { terms, negatedTerms, phrases, negatedPhrases } = parsed;
    return { terms: inOrder(terms), excluded: inOrder(negatedTerms), phrases, excludedPhrases: negatedPhrases };
  };

  it.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'bench/README.md', 'LICENSE'])(
    'of every word in %s',
    async (file) => {
      // Quotation marks and minuses mean something else in a search.
      const text = readFileSync(file, 'utf8').replaceAll(/["-]/g, ' ');
      const { terms } = await parsedByMongo(text);
      expect(terms.length).toBeGreaterThan(100);
      expect(inOrder(wordsOf(text))).toEqual(terms);
    },
  );

  it('whatever characters they are of', async () => {
    for (let block = 0x20; block < 0x3400; block += 0x200) {
      // Cherokee and Georgian, whose capitals came later than the database's edition of Unicode.
      if (block === 0x1220 || block === 0x1c20) continue;
      const characters = Array.from({ length: 0x200 }, (_, n) => String.fromCharCode(block + n));
      // Of the others, few are that new.
      const known = characters.filter(
        (one) => /[\p{L}\p{N}\p{P}\p{Z}]/u.test(one) && !/["-]|[\u0860-\u08ff]/.test(one),
      );
      const text = known.map((one, n) => `7q${String(n)}q${one}9q${String(n)}q`).join(' ');
      const { terms } = await parsedByMongo(text);
      const unlike = inOrder(wordsOf(text)).filter((word) => !terms.includes(word));
      expect(unlike.length).toBeLessThanOrEqual(known.length / 25);
    }
  });

  it.each([
    ...[
      'the Crawling of towns',
      "don't dogs' o'clock ’tis",
      'a -b "c d" -"e f" g-h -i-j - k',
      '"open -phrase',
      '"" x -""y',
    ],
    ...[
      'İzmir ΣΑΣ ﬁsh straße ẞ',
      'C++ foo_bar 1.5 e\u0301té\u00a0x',
      '-"a b"c -d"e" "f"-g',
      'tab\tbed\nnew -\tline',
      '',
    ],
  ])('in the search %j', async (search) => {
    const { terms, excluded, ...phrases } = parseTitleQuery(search);
    const ours = { terms: inOrder(terms), excluded: inOrder(excluded), ...phrases };
    expect(ours).toEqual(await parsedByMongo(search));
  });

  it.each<[string | null, string[], number]>([
    ['Archives of the archive: an Archive', ['archiv 3'], 3],
    ['one two one two', ['one 2', 'two 2'], 4],
    ['a b b b b b b', ['b 4'], 6],
    ['Town', ['town'], 0],
    ['Towns', ['town'], 1],
    ['Town!', ['town'], 1],
    ['of the', [''], 0],
    [null, [''], 0],
  ])('are stored of %j with how often they are there', (title, titleTerms, titleLength) => {
    expect(titleIndexOf(title)).toEqual({ titleTerms, titleLength });
  });

  it('a phrase may be longer than a pattern of the database', async () => {
    const phrase = 'é '.repeat(2000);
    await model.collection.insertOne({ title: phrase } as never);
    const found = await model.collection.findOne({ title: { $regex: phrasePattern(phrase) } });
    expect(found?.['title']).toBe(phrase);
  });
});
