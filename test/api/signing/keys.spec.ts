import { generateKeyPairSync } from 'node:crypto';
import { WaczSigner } from '../../../src/signing/wacz-signer.js';
import { runCli } from '../../../src/cli/cli.js';
import type { Launcher } from '../../../src/cli/cli-context.js';
import { isSignedByKey } from '../../../src/wacz/signature.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

const HASH = `sha256:${'ab'.repeat(32)}`;

interface PublishedKey {
  id: string;
  publicKey: string;
  created: string;
  retired: string | null;
}

describe('the keys of an installation', () => {
  let on: AppUnderTest;
  beforeEach(async () => (on = await startApp()));
  afterEach(() => on.close());

  const signer = (of = on) => of.app.get(WaczSigner, { strict: false });
  const published = async (): Promise<PublishedKey[]> => {
    const answer = await fetch(`${on.baseUrl}/.well-known/muniment-keys.json`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { keys: PublishedKey[] }).keys;
  };

  async function cli(...argv: string[]): Promise<{ code: number; lines: string[] }> {
    const lines: string[] = [];
    const terminal = {
      print: (line: string) => void lines.push(line),
      complain: (line: string) => void lines.push(line),
    };
    const launcher: Launcher = {
      up: () => Promise.resolve(0),
      chromiumOnThisMachine: () => null,
      withDatabase: (work) => work({}),
    };
    const variables = {
      DATA_DIR: on.dataDir,
      MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
      MONGO_DB_NAME: on.connection.name,
    };
    return { code: await runCli(argv, { launcher, terminal, variables, exitCode: 0 }), lines };
  }

  it('are none before the first signature, and one after it, whichever processes race for it', async () => {
    expect(await published()).toEqual([]);
    const others = await Promise.all([startApp({ like: on }), startApp({ like: on })]);
    const all = [on, ...others];
    const signed = await Promise.all([...all, ...all, ...all].map((one) => signer(one).sign(HASH)));
    await Promise.all(others.map((one) => one.stop()));
    const keys = await published();
    expect(keys).toHaveLength(1);
    expect(new Set(signed.map(({ publicKey }) => publicKey))).toEqual(new Set([keys[0]?.publicKey]));
    for (const { publicKey, signature } of signed) expect(isSignedByKey(publicKey, HASH, signature)).toBe(true);
  });

  it('are kept so that the database alone tells no private half', async () => {
    const { publicKey } = await signer().sign(HASH);
    const [stored] = await on.connection.collection('signing_keys').find().toArray();
    expect(stored).toMatchObject({ publicKey, current: true, retired: null, sealed: expect.any(String) });
    const der = Buffer.from(stored?.['sealed'] as string, 'base64');
    const plain = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({
      format: 'der',
      type: 'pkcs8',
    });
    // What every PKCS #8 form of such a key begins with.
    expect(der.includes(plain.subarray(3, 30))).toBe(false);
    expect(JSON.stringify(await published())).not.toContain(stored?.['sealed'] as string);
  });

  it('rotate: the new one signs at once, the old one stays published and its private half goes', async () => {
    const before = await signer().sign(HASH);
    const { code, lines } = await cli('keys', 'rotate');
    expect([code, lines]).toEqual([0, [expect.stringMatching(/^[0-9a-f]{64} signs from now on/)]]);
    const after = await signer().sign(HASH);
    expect(after.publicKey).not.toBe(before.publicKey);
    const keys = await published();
    expect(keys.map(({ publicKey, retired }) => [publicKey, retired !== null])).toEqual([
      [after.publicKey, false],
      [before.publicKey, true],
    ]);
    expect(isSignedByKey(before.publicKey, HASH, before.signature)).toBe(true);
    const old = await on.connection.collection('signing_keys').findOne({ publicKey: before.publicKey });
    expect(old).toMatchObject({ sealed: null });
    expect((await cli('keys', 'list')).lines).toEqual([
      expect.stringMatching(new RegExp(`^${keys[0]?.id ?? ''} .* signs$`)),
      expect.stringMatching(new RegExp(`^${keys[1]?.id ?? ''} .* retired `)),
    ]);
  });

  it('rotate by many at once to one that signs', async () => {
    await Promise.all([cli('keys', 'rotate'), cli('keys', 'rotate'), cli('keys', 'rotate')]);
    const keys = await published();
    expect(keys.filter(({ retired }) => retired === null)).toHaveLength(1);
    expect(keys).toHaveLength(3);
    await expect(signer().sign(HASH)).resolves.toMatchObject({
      publicKey: keys.find((key) => !key.retired)?.publicKey,
    });
  });

  it('sign no text but a hash, and no time but the present', async () => {
    const now = on.clock.now().toISOString();
    await expect(signer().sign(HASH, now)).resolves.toMatchObject({ created: now });
    await expect(signer().sign('I owe you')).rejects.toThrow('not a hash');
    await expect(signer().sign(HASH, '2001-01-01T00:00:00Z')).rejects.toThrow('not the present time');
    await expect(signer().sign(HASH, 'yesterday')).rejects.toThrow('not the present time');
  });

  it('sign nothing where WACZ_SIGNING is off', async () => {
    const silent = await startApp({ like: on, env: { WACZ_SIGNING: 'false' } });
    await expect(signer(silent).sign(HASH)).rejects.toThrow('WACZ_SIGNING');
    await silent.stop();
    expect(await published()).toEqual([]);
  });

  it('are not readable with another PASSWORD_SECRET, which says so until they are rotated', async () => {
    const { publicKey } = await signer().sign(HASH);
    const moved = await startApp({ like: on, env: { PASSWORD_SECRET: 'another secret than before' } });
    await expect(signer(moved).sign(HASH)).rejects.toThrow('PASSWORD_SECRET');
    await moved.stop();
    expect((await published())[0]).toMatchObject({ publicKey, retired: null });
  });
});
