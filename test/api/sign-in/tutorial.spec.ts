import { SignInStage } from '../../support/sign-in-stage.js';
import { ADMIN } from '../../support/start-app.js';
import { asPattern, readDocument, runSteps, stepsOf } from '../../support/tutorial.js';

describe('the page on sign-in', () => {
  let stage: SignInStage;
  let page: string;

  beforeAll(async () => {
    page = await readDocument('sign-in.md');
    const [, settings = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
    const entries = JSON.parse(settings) as Record<string, unknown>[];
    // The provider of the tests has an issuer of its own.
    const given = entries.map((entry) =>
      Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'issuer')),
    );
    stage = await SignInStage.open(given, { PASSWORD_LOGIN: 'superuser' });
  });
  afterAll(() => stage?.close());

  it('says what its commands print', async () => {
    const admin = await stage.under.admin();
    const [email, password] = ['member@example.com', 'correct horse'];
    await admin.post(`/orgs/${await stage.under.defaultOrgId()}/add-user`, { email, password, name: email, role: 10 });
    const steps = stepsOf(page);
    expect(steps.length).toBeGreaterThan(5);
    const printed = await runSteps(steps, {
      BASE: stage.under.baseUrl.replace(/\/$/, ''),
      DATA_DIR: stage.under.dataDir,
      ADMIN_PASSWORD: ADMIN.password,
      MEMBER: email,
      MEMBER_PASSWORD: password,
    });
    steps.forEach(({ output }, index) => expect(printed[index]).toMatch(asPattern(output)));
  });

  it('has settings that give what it says', async () => {
    const person = (sub: string, groups: string[]) =>
      stage.provider.person(sub, { email: `${sub}@uni.example.com`, email_verified: true, groups });
    await person('staff', ['library-staff']);
    expect((await stage.me('staff')).orgs).toMatchObject([{ slug: 'my-organization', role: 20 }]);
    await person('admin', ['archive-admins']);
    expect((await stage.me('admin')).is_superuser).toBe(true);
    await person('student', ['students']);
    expect(await stage.signIn('student')).toEqual({ status: 403, detail: 'sign_in_no_account' });
  });

  it('names every code with which a sign-in is refused', async () => {
    const { paths } = (await stage.under.api.get('/api/openapi.json')).body as {
      paths: Record<string, { get: { responses: Record<string, { description: string }> } }>;
    };
    const said = JSON.stringify(paths['/api/auth/oidc/{id}/callback']?.get.responses);
    const codes = [...new Set(said.match(/sign_in_\w+/g))];
    expect(codes.length).toBeGreaterThan(7);
    for (const code of codes) expect(page).toContain(`\`${code}\``);
  });
});
