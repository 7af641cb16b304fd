import yazl from 'yazl';

export interface ZipMember {
  name: string;
  content: Buffer | string;
  compress?: boolean;
}

/** A ZIP file made by a writer that is not ours. */
export async function zipOf(members: readonly ZipMember[]): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const { name, content, compress = false } of members) file.addBuffer(Buffer.from(content), name, { compress });
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A second apart: lists of pages are in the order of their times. */
const visited = (i: number): string => new Date(Date.parse('2023-05-29T02:53:12.153Z') + i * 1000).toISOString();

/** The least that uploads and lists pages. */
export function waczOf(urls: readonly string[]): Promise<Buffer> {
  const lines = urls.map((url, i) => JSON.stringify({ id: `p${i}`, url, title: `Page ${i}`, ts: visited(i) }));
  const header = '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}';
  return zipOf([
    { name: 'archive/data.warc.gz', content: Buffer.alloc(2000, 1) },
    { name: 'pages/pages.jsonl', content: [header, ...lines].join('\n'), compress: true },
    { name: 'datapackage.json', content: '{"profile":"data-package","resources":[]}' },
  ]);
}
