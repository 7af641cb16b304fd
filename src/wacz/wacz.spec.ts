import { ZipArchive } from '../../formats/zip/zip-archive.js';
import { BufferSource } from '../../test/support/byte-source.js';
import { zipOf as zip } from '../../test/support/zip.js';
import { findChildWaczs, findLogs, readLogLines, readPages, type WaczPage } from './wacz.js';

const open = (bytes: Buffer) => ZipArchive.open(new BufferSource(bytes));

async function pagesOf(bytes: Buffer): Promise<WaczPage[]> {
  const pages: WaczPage[] = [];
  for await (const page of readPages(await open(bytes))) pages.push(page);
  return pages;
}

describe('readPages', () => {
  const header = '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}';

  it('reads the lists in directory order, marks seeds, and steps over what is no page', async () => {
    const pages = await pagesOf(
      await zip([
        {
          name: 'pages/extraPages.jsonl',
          content: `${header}\n{"url":"http://b.example","seed":true}\n{"url":"http://c/"}`,
        },
        {
          name: 'pages/pages.jsonl',
          compress: true,
          content: [
            header,
            '{"id":"x","url":"HTTPS://A.example/ü","title":"T","ts":"2023-05-29T02:53:12.153Z","loadState":4,"status":404,"mime":"text/html","depth":1,"favIconUrl":"http://a/f","text":"long","size":5}',
            'not json',
            '[1]',
            '{"url":""}',
            '{"url":5}',
            '{"url":"urn:view:x"}',
            '{"url":"http://bad ts/","ts":"x"}',
            '{"url":"http://ok/","ts":"yesterday"}',
            '{"url":"http://ok/","ts":1685328792,"title":7,"status":"200","depth":1.5}\r',
            '',
          ].join('\n'),
        },
        { name: 'pages/notes.txt', content: '{"url":"http://no/"}' },
        { name: 'other/pages.jsonl', content: '{"url":"http://no/"}' },
      ]),
    );
    expect(pages.map((page) => [page.url, page.isSeed])).toEqual([
      ['http://b.example/', true],
      ['http://c/', false],
      ['https://a.example/%C3%BC', true],
      ['http://ok/', true],
    ]);
    expect(pages[2]).toEqual({
      id: 'x',
      url: 'https://a.example/%C3%BC',
      title: 'T',
      ts: new Date('2023-05-29T02:53:12.153Z'),
      loadState: 4,
      status: 404,
      mime: 'text/html',
      depth: 1,
      isSeed: true,
      favIconUrl: 'http://a/f',
    });
    expect(pages[3]).toMatchObject({ ts: new Date('2023-05-29T02:53:12Z'), title: null, status: null, depth: null });
  });

  it('reads lines that run across chunks, and steps over one too long to be a page', async () => {
    const long = `{"url":"http://long/","text":"${'x'.repeat(9_000_000)}"}`;
    const content = `{"url":"http://first/"}\n${long}\n{"url":"http://last/"}`;
    const pages = await pagesOf(await zip([{ name: 'pages/pages.jsonl', content, compress: true }]));
    expect(pages.map((page) => page.url)).toEqual(['http://first/', 'http://last/']);
  });
});

describe('other members', () => {
  it('finds children, logs and package data', async () => {
    const archive = await open(
      await zip([
        { name: 'b.wacz', content: 'x' },
        { name: 'sub/a.wacz', content: 'y' },
        { name: 'logs/2.log', content: '{"a":1}\n{"a":2}\n' },
        { name: 'logs/1.log', content: 'x\n', compress: true },
      ]),
    );
    expect((await findChildWaczs(archive)).map((entry) => entry.name)).toEqual(['b.wacz', 'sub/a.wacz']);
    const logs = await findLogs(archive);
    expect(logs.map((log) => log.name)).toEqual(['logs/1.log', 'logs/2.log']);
    const lines: string[] = [];
    for await (const line of readLogLines(archive, logs[1]!)) lines.push(line);
    expect(lines).toEqual(['{"a":1}', '{"a":2}']);
  });
});
