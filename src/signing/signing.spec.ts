import { Secret } from '../config/secret.js';
import { NotOurSeal, seal, unseal } from './sealed.js';
import { NoTimeStamp } from './time-stamp.js';
import { timeStampQuestion, tokenOf, verifiedTimeStamp } from './time-stamp-token.js';
import { isSignable } from './wacz-signer.js';

describe('sealed bytes', () => {
  const [secret, other] = [new Secret('ours'), new Secret('another')];
  const bytes = Buffer.from('a private key');

  it('are read with the secret and the purpose that they were sealed for, and are never the same', () => {
    const sealed = seal(bytes, secret, 'key 1');
    expect(unseal(sealed, secret, 'key 1')).toEqual(bytes);
    expect(sealed).not.toBe(seal(bytes, secret, 'key 1'));
    expect(Buffer.from(sealed, 'base64').includes(bytes)).toBe(false);
  });

  it('are refused with another secret, for another purpose, changed, cut off or missing', () => {
    const sealed = seal(bytes, secret, 'key 1');
    const changed = Buffer.from(sealed, 'base64');
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    const wrong: [string, Secret, string][] = [
      [sealed, other, 'key 1'],
      [sealed, secret, 'key 2'],
      [changed.toString('base64'), secret, 'key 1'],
      [sealed.slice(0, 20), secret, 'key 1'],
      ['', secret, 'key 1'],
    ];
    for (const [text, by, purpose] of wrong) expect(() => unseal(text, by, purpose)).toThrow(NotOurSeal);
  });
});

describe('what is signed', () => {
  it.each([
    ['sha256:' + '0a'.repeat(32), true],
    ['sha256:' + '0A'.repeat(32), false],
    ['md5:00', false],
    [null, false],
  ])('%s: %s', (text, isIt) => expect(isSignable(text)).toBe(isIt));
});

describe('an answer of a time-stamp authority', () => {
  it.each([
    ['nothing', ''],
    ['a page', '<html>busy</html>'],
    ['zeros', '\0'.repeat(100)],
    ['a cut-off sequence', '0\x82\x10\x00\x30'],
  ])('that is %s is refused', async (_what, body) => {
    const question = timeStampQuestion('text');
    await expect(tokenOf(Buffer.from(body, 'latin1'), question, 'text')).rejects.toThrow(NoTimeStamp);
    await expect(verifiedTimeStamp(Buffer.from(body, 'latin1'), 'text')).rejects.toThrow(NoTimeStamp);
  });
});
