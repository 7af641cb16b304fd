import { createHash } from 'node:crypto';
import { WaczSigner } from '../../src/signing/wacz-signer.js';
import type { AppUnderTest } from './start-app.js';
import { zipOf } from './zip.js';

/** A package as crawls of an org write it, with a signature by the service. */
export async function signedPackage(on: AppUnderTest, oid: string): Promise<Buffer> {
  const created = on.clock.now().toISOString();
  const facts = { profile: 'data-package', resources: [], created, software: 'Crawler 1', browser: 'Browser 2' };
  const content = JSON.stringify(facts);
  const hash = `sha256:${createHash('sha256').update(content).digest('hex')}`;
  const signedData = await on.app.get(WaczSigner, { strict: false }).sign(hash, created, oid);
  return zipOf([
    { name: 'datapackage.json', content },
    {
      name: 'datapackage-digest.json',
      content: JSON.stringify({ path: 'datapackage.json', hash, signedData }),
    },
  ]);
}
