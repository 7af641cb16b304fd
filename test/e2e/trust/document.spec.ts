import { join } from 'node:path';
import { jest } from '@jest/globals';
import { ROOT } from '../../support/product.js';
import { faultsOfArchive, storedWaczs } from '../../support/replayed.js';
import { ServiceProcess } from '../../support/service-process.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { ADMIN } from '../../support/start-app.js';
import { TutorialShell, partsOf } from '../../support/tutorial-shell.js';
import { asPattern, readDocument } from '../../support/tutorial.js';

const STEP_MS = 240_000;

describe('docs/trust.md', () => {
  jest.setTimeout(600_000);
  let site: TestSite;
  let service: ServiceProcess;
  let shell: TutorialShell;

  beforeAll(async () => {
    site = await startTestSite();
    service = await ServiceProcess.open();
    const muniment = `${process.execPath} ${join(ROOT, 'bin', 'muniment.mjs')}`;
    const given = { BASE: service.baseUrl, SITE: site.url, ADMIN_PASSWORD: ADMIN.password, MUNIMENT: muniment };
    shell = new TutorialShell({ ...service.env, ...given });
  });
  afterAll(async () => {
    shell?.close();
    await service?.close();
    await site?.close();
  });

  it('says what its commands print', async () => {
    const document = await readDocument('trust.md');
    const parts = partsOf(document);
    expect(parts.length).toBeGreaterThan(14);
    const program = /```js\n([^]*?)```/.exec(document)?.[1] ?? '';
    for (const part of parts) {
      if (part.kind === 'hand') throw new Error(`nobody does ${part.name}`);
      // What the reader was told to save before.
      if (part.command.startsWith('node verify.mjs'))
        await shell.run(`cat > verify.mjs <<'END'\n${program}END`, STEP_MS);
      const printed = await shell.run(part.command, STEP_MS);
      expect([part.command, printed]).toEqual([part.command, expect.stringMatching(asPattern(part.output))]);
    }
    expect(await faultsOfArchive(await storedWaczs(service.dataDir))).toEqual([]);
  });
});
