import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../../support/tutorial.js';

describe('docs/tutorial-accounts.md', () => {
  let under: AppUnderTest;
  beforeAll(async () => {
    under = await startApp({ realTime: true });
  });
  afterAll(() => under.close());

  it('says what its commands print', async () => {
    const steps = stepsOf(await readDocument('tutorial-accounts.md'));
    expect(steps.length).toBeGreaterThan(12);
    const printed = await runSteps(steps, {
      BASE: under.baseUrl.replace(/\/$/, ''),
      DATA_DIR: under.dataDir,
      ADMIN_PASSWORD: ADMIN.password,
    });
    steps.forEach(({ output }, index) => expect(printed[index]).toMatch(asPattern(output)));
  });
});
