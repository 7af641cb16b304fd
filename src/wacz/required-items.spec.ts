import { writeWacz, type RequiredWacz } from '../../formats/wacz/wacz-writer.js';
import { readAll } from '../../formats/zip/byte-source.js';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import { BufferSource } from '../../test/support/byte-source.js';
import { zipOf } from '../../test/support/zip.js';
import { requiredItems } from './required-items.js';

const required = async (bytes: Buffer): Promise<string[]> =>
  requiredItems(await ZipArchive.open(new BufferSource(bytes)));
const datapackage = (content: string): Promise<Buffer> => zipOf([{ name: 'datapackage.json', content }]);

describe('what a package refers to', () => {
  it('are the items of the WACZs that its crawler wrote down, each once', async () => {
    const wacz = (crawlId: string, filename: string): RequiredWacz => ({ filename, hash: 'ab', size: 1, crawlId });
    const requires = [wacz('first', 'a.wacz'), wacz('first', 'b.wacz'), wacz('second', 'c.wacz')];
    const facts = { created: '2026-11-01T12:00:00.000Z', software: 'test' };
    expect(await required(await readAll(writeWacz([], { ...facts, requires })))).toEqual(['first', 'second']);
    expect(await required(await readAll(writeWacz([], facts)))).toEqual([]);
  });

  it('is nothing where nobody can read it', async () => {
    expect(
      await required(await datapackage('{"relation":{"requires":[{"crawlId":"a"},{"crawlId":5},null,"b"]}}')),
    ).toEqual(['a']);
    for (const odd of ['{"relation":{"requires":"a"}}', '{"relation":null}', '[]', 'no JSON', 'null'])
      expect(await required(await datapackage(odd))).toEqual([]);
    expect(await required(await zipOf([{ name: 'other', content: '' }]))).toEqual([]);
  });
});
