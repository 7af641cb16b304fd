import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../../support/tutorial.js';

describe('the pages on accounts', () => {
  let under: AppUnderTest;
  beforeAll(async () => {
    under = await startApp({ realTime: true });
  });
  afterAll(() => under.close());

  // The keys first: the tutorial renames the org and locks somebody out.
  it.each(['api-keys.md', 'sessions.md', 'tutorial-accounts.md'])(
    'docs/%s says what its commands print',
    async (page) => {
      const steps = stepsOf(await readDocument(page));
      expect(steps.length).toBeGreaterThan(7);
      const printed = await runSteps(steps, {
        BASE: under.baseUrl.replace(/\/$/, ''),
        DATA_DIR: under.dataDir,
        ADMIN_PASSWORD: ADMIN.password,
      });
      steps.forEach(({ output }, index) => expect(printed[index]).toMatch(asPattern(output)));
    },
  );
});
