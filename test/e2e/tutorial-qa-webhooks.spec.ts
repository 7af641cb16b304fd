import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { Product, ROOT, temporaryDataDir } from '../support/product.js';
import { faultsOfArchive, storedWaczs } from '../support/replayed.js';
import { startTestSite, type TestSite } from '../support/site/site.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../support/tutorial.js';

const CRAWL_AND_CHECK_MS = 360_000;

describe('docs/tutorial-qa-webhooks.md', () => {
  let data: Awaited<ReturnType<typeof temporaryDataDir>>;
  let folder: string;
  let site: TestSite;
  let port: string;
  let product: Product;
  let document: string;

  beforeAll(async () => {
    document = await readDocument('tutorial-qa-webhooks.md');
    data = await temporaryDataDir();
    folder = await mkdtemp(join(tmpdir(), 'muniment-tutorial-'));
    site = await startTestSite();
    port = String(await freePort());
    product = await Product.start(data.dir, ['--port', port], { ALLOW_PRIVATE_ADDRESSES: 'crawls,webhooks' });
  });

  afterAll(async () => {
    await product?.interrupt();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
    await data?.remove();
  });

  it(
    'says what its commands print',
    async () => {
      await installReceiver(folder, document);
      const secrets = JSON.parse(await readFile(join(data.dir, 'secrets.json'), 'utf8')) as Record<string, string>;
      const env = {
        BASE: `http://127.0.0.1:${port}`,
        SITE: site.url,
        RECEIVER_PORT: String(await freePort()),
        ADMIN_PASSWORD: secrets['superuserPassword'] ?? '',
      };
      const steps = stepsOf(document);
      expect(steps.length).toBeGreaterThan(25);
      const printed = await runSteps(steps, env, { cwd: folder, boundMs: CRAWL_AND_CHECK_MS });
      steps.forEach(({ command, output }, index) =>
        expect([command, printed[index]]).toEqual([command, expect.stringMatching(asPattern(output))]),
      );
      expect(await faultsOfArchive(await storedWaczs(data.dir))).toEqual([]);
    },
    CRAWL_AND_CHECK_MS + 60_000,
  );
});

/** What the reader does: saves the receiver and installs the library it uses. */
async function installReceiver(folder: string, document: string): Promise<void> {
  const code = /```js\n([^]*?)```/.exec(document)?.[1] ?? '';
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(20);
  await writeFile(join(folder, 'receiver.mjs'), code);
  await mkdir(join(folder, 'node_modules'));
  await symlink(join(ROOT, 'node_modules', 'standardwebhooks'), join(folder, 'node_modules', 'standardwebhooks'));
}
