import { readdir, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { logOf } from '../../support/log-of.js';
import { aMember, anEmail, anOrg, forgetMails, PASSWORD, sentMails, tokenMailedTo } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

const SHARED_SECRET = 'shared-secret-of-tests';
const TOKEN_SECRET = 'token-secret-of-tests';

async function withApp(env: Record<string, string>, deed: (under: AppUnderTest) => Promise<void>): Promise<void> {
  const under = await startApp({ env: { LOG_LEVEL: 'trace', LOG_FORMAT: 'text', ...env } });
  try {
    await deed(under);
  } finally {
    await under.close();
  }
}

/** Everything that has to do with tokens once. @returns what nobody but its owner may read */
async function everyToken(under: AppUnderTest): Promise<string[]> {
  const admin = await under.admin();
  const oid = await anOrg(under);
  const secrets: string[] = [admin.token ?? '', SHARED_SECRET, TOKEN_SECRET, PASSWORD, ADMIN.password];
  const member = await aMember(under, oid, 40);
  secrets.push(member.api.token ?? '');
  await under.api.get('/users/me', { auth_bearer: member.api.token ?? '' });

  await under.api.post('/auth/forgot-password', { email: member.email });
  const reset = await tokenMailedTo(under, member.email);
  await under.api.post('/auth/reset-password', { token: `${reset}x`, password: 'one more password' });
  await under.api.post('/auth/reset-password', { token: reset, password: 'one more password' });
  const stranger = anEmail();
  await under.api.post('/auth/register', { email: stranger, password: 'a strange password' });
  const verify = await tokenMailedTo(under, stranger);
  await under.api.post('/auth/verify', { token: verify });

  // The new password ended the session of the old one.
  const again = await under.login(member.email, 'one more password');
  secrets.push(again.token ?? '');
  const invited = anEmail();
  const { token } = (await again.post(`/orgs/${oid}/invite`, { email: invited, role: 10 })).body;
  await under.api.get(`/users/invite/${token}`, { email: invited });
  const body = { email: invited, password: 'an invited password', inviteToken: token };
  await under.api.post('/auth/register', body);
  await under.api.post('/auth/register', body);
  await admin.post('/subscriptions/create', {
    subId: 'sub',
    status: 'active',
    planId: 'p',
    firstAdminInviteEmail: anEmail(),
  });
  for (let n = 0; n < 7; n++)
    await under.api.call('POST', '/auth/jwt/login', { form: { username: member.email, password: 'a wrong password' } });
  secrets.push(reset, verify, token as string, await tokenMailedTo(under, member.email));
  return [...secrets, 'one more password', 'a strange password', 'an invited password', 'a wrong password'];
}

const ENV = {
  BILLING_ENABLED: 'true',
  REGISTRATION_ENABLED: 'true',
  BTRIX_SUBS_APP_API_KEY: SHARED_SECRET,
  PASSWORD_SECRET: TOKEN_SECRET,
};

describe('tokens, passwords and keys', () => {
  it.each([['false'], ['true']])('are nowhere in the most talkative log, with mails in it: %s', async (logged) => {
    let secrets: string[] = [];
    const log = await logOf(() =>
      withApp({ ...ENV, LOG_SENT_EMAILS: logged }, async (under) => {
        secrets = await everyToken(under);
      }),
    );
    expect(log).toContain('mail_sent');
    expect([log.includes('/reset-password?token='), log.includes('/join/')].map(String)).toEqual([logged, logged]);
    expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });

  it('are in mails that only their receiver and the service can read; a developer’s log may show them', async () => {
    const shown: string[] = [];
    const lines = await logOf(() =>
      withApp({ LOG_SENT_EMAILS: 'true', BTRIX_ENV: 'development' }, async (under) => {
        const invited = anEmail();
        await (await under.admin()).post(`/orgs/${await under.defaultOrgId()}/invite`, { email: invited, role: 10 });
        await under.api.post('/auth/forgot-password', { email: ADMIN.email });
        const mails = await sentMails(under);
        for (const mail of mails) {
          expect(mail.match(/^To: /gm)).toHaveLength(1);
          expect(mail).not.toMatch(/^(?:Cc|Bcc): /m);
        }
        const folder = join(under.dataDir, 'mail');
        const names = await readdir(folder);
        expect(names).toHaveLength(2);
        expect((await stat(folder)).mode & 0o777).toBe(0o700);
        for (const name of names) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
        // No name tells whom a mail is for.
        expect(names.filter((name) => name.includes('example'))).toEqual([]);
        shown.push(await tokenMailedTo(under, ADMIN.email), await tokenMailedTo(under, invited));
      }),
    );
    expect(shown.map((token) => lines.includes(token))).toEqual([true, true]);
  });
});

describe('a template service', () => {
  let service: Server;
  let url: string;
  let answer: { status: number; body: string };
  const asked: { path: string; payload: Record<string, unknown> }[] = [];

  beforeAll(async () => {
    service = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const payload = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        asked.push({ path: request.url ?? '', payload });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((service.address() as AddressInfo).port)}/api/emails/`;
  });
  afterAll(() => new Promise((resolve) => service.close(resolve)));

  it('says what mails say, with the values of the contract', async () => {
    answer = {
      status: 200,
      body: JSON.stringify({ subject: 'Ours\r\nBcc: x@example.org', plainText: 'Our own words', html: '<p>Ours</p>' }),
    };
    await withApp(
      { EMAIL_TEMPLATE_ENDPOINT: url, APP_ORIGIN: 'https://app.example.org', LOG_LEVEL: 'silent' },
      async (under) => {
        await under.api.post('/auth/forgot-password', { email: ADMIN.email });
        const [mail] = await sentMails(under);
        expect(mail).toContain('Our own words');
        expect(mail).toContain('<p>Ours</p>');
        expect(mail).not.toMatch(/^Bcc/m);
      },
    );
    const [{ path, payload }] = asked as [(typeof asked)[0]];
    expect(path).toBe('/api/emails/passwordReset');
    expect(payload).toEqual({ origin: 'https://app.example.org', token: expect.stringMatching(/^eyJ/) });
  });

  it('that fails is replaced by the built-in words', async () => {
    await withApp({ EMAIL_TEMPLATE_ENDPOINT: url, LOG_LEVEL: 'silent' }, async (under) => {
      for (const [status, body] of [
        [500, 'oops'],
        [200, '<html>'],
        [200, 'null'],
        [200, '{"subject": "No text"}'],
        [201, '{"subject": "S", "plainText": "T", "html": ""}'],
      ] as const) {
        answer = { status, body };
        await forgetMails(under);
        await under.api.post('/auth/forgot-password', { email: ADMIN.email });
        expect([body, (await sentMails(under)).join()]).toEqual([
          body,
          expect.stringContaining('/reset-password?token='),
        ]);
      }
    });
  });
});
