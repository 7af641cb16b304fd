import { freePort } from '../../support/free-port.js';
import { aMember, anOrg, sentMails } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

describe('the state of the deployment', () => {
  let t: AppUnderTest;

  beforeAll(async () => {
    t = await startApp();
  });
  afterAll(() => t?.close());

  it('tells those who run it what runs where, and how much room is left', async () => {
    const { status, body } = await (await t.admin()).get('/system');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      node: process.versions.node,
      driver: 'fake',
      isDriverReady: true,
      areStoragesReady: true,
      storages: ['default'],
      disk: { path: t.dataDir },
    });
    const { version, database, disk } = body as {
      version: string;
      database: { version: string; dataBytes: number };
      disk: { freeBytes: number; totalBytes: number };
    };
    expect([version, database.version]).toEqual([expect.stringMatching(/^\d+\.\d+/), expect.stringMatching(/^\d+\./)]);
    expect(database.dataBytes).toBeGreaterThan(0);
    expect(disk.totalBytes).toBeGreaterThan(disk.freeBytes);
  });

  it('is nobody else’s to see', async () => {
    const owner = (await aMember(t, await anOrg(t), 40)).api;
    for (const [method, path] of [
      ['GET', '/system'],
      ['POST', '/system/test-mail'],
    ] as const)
      expect((await owner.call(method, path)).status).toBe(403);
  });

  it('has a mail sent to who asks, and says what to mend where it is refused', async () => {
    const { body } = await (await t.admin()).post('/system/test-mail', {});
    expect(body).toMatchObject({ success: true, reason: '' });
    expect((await sentMails(t)).some((mail) => mail.includes(`To: ${ADMIN.email}`))).toBe(true);

    const env = { EMAIL_SMTP_HOST: '127.0.0.1', EMAIL_SMTP_PORT: String(await freePort()) };
    const mailless = await startApp({ env });
    const refused = await (await mailless.admin()).post('/system/test-mail', {});
    expect(refused.status).toBe(200);
    expect(refused.body).toMatchObject({ success: false, target: expect.stringContaining('127.0.0.1') });
    expect((refused.body as { reason: string }).reason).toContain('EMAIL_SMTP_PORT');
    await mailless.close();
  });
});
