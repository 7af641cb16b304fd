import { NotAnExport, readSections, type Section } from './json-sections.js';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(text: string, size = 7): Promise<Section[]> {
  const sections: Section[] = [];
  for await (const section of readSections(inPieces(text, size))) sections.push(section);
  return sections;
}

const DOCUMENT = {
  data: {
    dbVersion: '0058',
    org: { _id: 'x', name: 'a "quoted" \\ {brace] ü 🐈', n: null, deep: { list: [[1], { a: 2 }] } },
    empty: [],
    pages: [{ url: 'https://e.example/,]}' }, 5, 'text', null, true, [1, 2]],
    last: -1.5e3,
  },
};

describe('an export', () => {
  it.each([1, 2, 3, 7, 64, 10_000])('is read in pieces of %s bytes, with spaces or without', async (size) => {
    const { dbVersion, org, pages, last } = DOCUMENT.data;
    const expected = [
      { name: 'dbVersion', index: null, value: dbVersion },
      { name: 'org', index: null, value: org },
      ...pages.map((value, index) => ({ name: 'pages', index, value })),
      { name: 'last', index: null, value: last },
    ];
    expect(await read(JSON.stringify(DOCUMENT), size)).toEqual(expected);
    expect(await read(`\n ${JSON.stringify(DOCUMENT, null, 2)} \n`, size)).toEqual(expected);
  });

  it.each([
    '',
    'nonsense',
    '[]',
    '{"other": {}}',
    '{"data": []}',
    '{"data": {"org": {}',
    '{"data": {"pages": [{"a": 1}, ]}}',
    '{"data": {"pages": [{"a": 1} {"a": 2}]}}',
    '{"data": {"org": {a: 1}}}',
    '{"data": {"org" {}}}',
    '{"data": {"org": 1}} and more',
    '{"data": {"pages": [1, 2]',
  ])('is not: %s', async (text) => {
    await expect(read(text)).rejects.toThrow(NotAnExport);
  });
});
