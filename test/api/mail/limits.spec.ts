import { FailedJobNotice } from '../../../src/jobs/failed-job-notice.js';
import type { Job } from '../../../src/jobs/data/job.schema.js';
import { Mails } from '../../../src/mail/mails.js';
import { aMember, sentMails } from '../../support/people.js';
import { startSmtp, type SmtpUnderTest } from '../../support/smtp.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

const HOUR_MS = 3_600_000;

describe('mails to one address', () => {
  let one: AppUnderTest;
  let other: AppUnderTest;

  beforeEach(async () => {
    one = await startApp();
    other = await startApp({ like: one });
  });
  afterEach(async () => {
    await other.stop();
    await one.close();
  });

  const mailsTo = async (email: string, subject: RegExp): Promise<number> => {
    for (const { app } of [one, other]) await app.get(Mails).settled();
    return (await sentMails(one)).filter((mail) => mail.includes(`To: ${email}`) && subject.test(mail)).length;
  };
  const RESET = /^Subject: .*password/im;

  it('that anybody can ask for are five an hour, over all processes, and no answer tells', async () => {
    const { email } = await aMember(one, await one.defaultOrgId(), 10);
    const ask = (i: number) => (i % 2 ? one : other).api.post('/auth/forgot-password', { email });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(i)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(
      new Set(['202 {"success":true}']),
    );
    expect(await mailsTo(email, RESET)).toBe(5);
    one.clock.advance(HOUR_MS + 1_000);
    await ask(0);
    expect(await mailsTo(email, RESET)).toBe(6);
  });

  it('hold the one of a lock back for no such limit', async () => {
    const { email } = await aMember(one, await one.defaultOrgId(), 10);
    for (let i = 0; i < 8; i++) await one.api.post('/auth/forgot-password', { email });
    for (let i = 0; i < 8; i++)
      await one.api.call('POST', '/auth/jwt/login', { form: { username: email, password: 'wrong' } });
    expect(await mailsTo(email, RESET)).toBe(6);
  });

  it('about failed jobs are one at once and one for all others of the hour', async () => {
    const job = (i: number): Job => ({
      ...{ _id: `create-replica-${i}`, type: 'create-replica', oid: null, success: false },
      ...{ started: one.clock.now(), finished: one.clock.now(), previousAttempts: null },
    });
    const notices = [one, other].map(({ app }) => app.get(FailedJobNotice));
    await Promise.all(Array.from({ length: 500 }, (_, i) => notices[i % 2]?.send(job(i))));
    const digests = () => Promise.all(notices.map((notice) => notice.sendDigest()));
    await digests();
    expect(await mailsTo(ADMIN.email, /Background job failed|500 background jobs/)).toBe(1);
    one.clock.advance(HOUR_MS);
    await digests();
    expect(await mailsTo(ADMIN.email, /^Subject: 500 background jobs failed/m)).toBe(1);
    await notices[0]?.send(job(500));
    expect(await mailsTo(ADMIN.email, /Background job failed/)).toBe(2);
  });
});

describe('the mail of an invite', () => {
  let app: AppUnderTest;
  let smtp: SmtpUnderTest;

  beforeEach(async () => {
    smtp = await startSmtp({
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith('nobody')
          ? done(Object.assign(new Error('no such user here'), { responseCode: 550 }))
          : done(),
    });
    app = await startApp({ env: { EMAIL_SMTP_HOST: '127.0.0.1', EMAIL_SMTP_PORT: String(smtp.port) } });
  });
  afterEach(async () => {
    await app.close();
    await smtp.close();
  });

  it('that the server refuses is shown to whoever invites, and to nobody else', async () => {
    const oid = await app.defaultOrgId();
    const api = await app.admin();
    const invite = (email: string) => api.post(`/orgs/${oid}/invite`, { email, role: 10 });
    const { status, body } = await invite('nobody@example.org');
    expect([status, body.invited]).toEqual([200, 'new_user']);
    await invite('somebody@example.org');
    await app.app.get(Mails).settled();
    const { items } = (await api.get(`/orgs/${oid}/invites`)).body;
    const invited = new Map(items.map((item: { email: string; mailError?: string }) => [item.email, item]));
    expect(invited.get('nobody@example.org')).toMatchObject({
      mailError: expect.stringContaining('no such user here'),
    });
    expect(invited.get('somebody@example.org')).not.toHaveProperty('mailError');
    const seen = await app.api.get(`/users/invite/${body.token}?email=nobody@example.org`);
    expect(seen.status).toBe(200);
    expect(seen.body).not.toHaveProperty('mailError');
  });
});
