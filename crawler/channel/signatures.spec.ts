import type { SignedData } from '../../formats/wacz/signed-data.js';
import { Signatures } from './signatures.js';

const asked = { hash: `sha256:${'ab'.repeat(32)}`, created: '2026-01-01T00:00:00.000Z' };
const signed: SignedData = { ...asked, software: 'ours', signature: 'c2ln', publicKey: 'a2V5' };

function stage(answer?: (rid: number) => unknown) {
  const [sent, warned]: [unknown[], string[]] = [[], []];
  const channel = {
    send: (message: object) => {
      sent.push(message);
      const { rid } = message as { rid: number };
      if (answer) setImmediate(() => signatures.received({ v: 1, t: 'signature', rid, signed: answer(rid) as null }));
    },
  };
  const logger = { warn: (_context: string, message: string) => void warned.push(message) };
  const signatures = new Signatures(channel as never, logger, 50);
  return { signatures, sent, warned };
}

describe('signatures that the crawler asks for', () => {
  it('are those of the answer, without fields that nobody asked for', async () => {
    const { signatures, sent, warned } = stage(() => ({ ...signed, more: 'x' }));
    expect(await signatures.of(asked)).toEqual(signed);
    expect([sent, warned]).toEqual([[{ t: 'askSignature', rid: 1, ...asked }], []]);
  });

  it.each([
    ['nobody answers', undefined],
    ['nobody can sign', () => null],
    ['the answer is of another package', () => ({ ...signed, hash: `sha256:${'00'.repeat(32)}` })],
    ['the answer states another time', () => ({ ...signed, created: '2020-01-01T00:00:00.000Z' })],
    ['the answer lacks a field', () => ({ ...asked, signature: 'c2ln' })],
  ])('are none when %s, which is logged and holds nothing up', async (_when, answer) => {
    const { signatures, warned } = stage(answer);
    expect(await signatures.of(asked)).toBeNull();
    expect(warned).toHaveLength(1);
  });

  it('ignore an answer that comes too late or twice', async () => {
    const { signatures } = stage();
    expect(await signatures.of(asked)).toBeNull();
    expect(() => signatures.received({ v: 1, t: 'signature', rid: 1, signed })).not.toThrow();
  });
});
