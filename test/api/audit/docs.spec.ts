import { spawnSync } from 'node:child_process';
import { days } from '../../../src/common/units/durations.js';
import { DayClosing } from '../../../src/ledger/day-closing.js';
import { storeLines } from '../../support/audit-lines.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../../support/tutorial.js';

const hasJq = spawnSync('jq', ['--version']).status === 0;
if (!hasJq) process.stderr.write('SKIPPED: no jq, so docs/audit.md is not walked\n');

describe('the page on the audit log', () => {
  let under: AppUnderTest;
  beforeAll(async () => {
    under = await startApp({ realTime: true });
    const oid = await under.defaultOrgId();
    const [before, yesterday] = [3, 2].map((ago) => new Date(Date.now() - days(ago)));
    await storeLines(under, [
      { oid, at: before },
      { oid, at: before },
      { oid, at: yesterday },
    ]);
    const closing = under.app.get(DayClosing, { strict: false });
    await closing.findChains();
    await closing.drain();
  });
  afterAll(() => under.close());

  (hasJq ? it : it.skip)('says what its commands print', async () => {
    const steps = stepsOf(await readDocument('audit.md'));
    expect(steps.length).toBeGreaterThan(15);
    const printed = await runSteps(steps, {
      BASE: under.baseUrl.replace(/\/$/, ''),
      ADMIN_PASSWORD: ADMIN.password,
    });
    steps.forEach(({ output }, index) => expect(printed[index]).toMatch(asPattern(output)));
  });
});
