import { fileURLToPath } from 'node:url';
import { aMember, PASSWORD, type Member } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../../support/tutorial.js';

const APP = fileURLToPath(new URL('../../support/totp-code.mjs', import.meta.url));

describe('the pages on accounts', () => {
  let under: AppUnderTest;
  let oid: string;
  let member: Member;
  beforeAll(async () => {
    under = await startApp({ realTime: true });
    oid = await under.defaultOrgId();
    member = await aMember(under, oid, 20);
  });
  afterAll(() => under.close());

  // The keys first: the tutorial renames the org and locks somebody out.
  it.each(['api-keys.md', 'sessions.md', 'second-factor.md', 'tutorial-accounts.md'])(
    'docs/%s says what its commands print',
    async (page) => {
      const steps = stepsOf(await readDocument(page));
      expect(steps.length).toBeGreaterThan(7);
      const printed = await runSteps(steps, {
        BASE: under.baseUrl.replace(/\/$/, ''),
        DATA_DIR: under.dataDir,
        ADMIN_PASSWORD: ADMIN.password,
        ADMIN_TOKEN: (await under.login(ADMIN.email, ADMIN.password)).token ?? '',
        OID: oid,
        MEMBER: member.email,
        MEMBER_PASSWORD: PASSWORD,
        // A command of the page on second factors.
        'BASH_FUNC_code%%': `() { node ${APP} "$@"; }`,
      });
      steps.forEach(({ output }, index) => expect(printed[index]).toMatch(asPattern(output)));
    },
  );
});
