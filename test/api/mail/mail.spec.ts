import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../src/cli/cli.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { Mails } from '../../../src/mail/mails.js';
import { SmtpMailer } from '../../../src/mail/smtp-mailer.js';
import { aMember } from '../../support/people.js';
import { startSmtp, type SmtpUnderTest } from '../../support/smtp.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

let dataDir: string;
let smtp: SmtpUnderTest;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muniment-mail-'));
});
afterEach(async () => {
  await smtp?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const to = (port: number, more: Record<string, string> = {}) => ({
  DATA_DIR: dataDir,
  EMAIL_SMTP_HOST: 'localhost',
  EMAIL_SMTP_PORT: String(port),
  EMAIL_SENDER: 'robot@example.org',
  ...more,
});
const mailer = (variables: Record<string, string>, tls = {}) => new SmtpMailer(loadConfig(variables).mail, tls);
const MAIL = { to: 'a@example.org', subject: 'Grüße', text: 'plain ü\n', html: '<p>rich ü</p>' };

async function cli(argv: string[], variables: Record<string, string>) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await runCli(argv, {
    launcher: { up: () => Promise.resolve(1), chromiumOnThisMachine: () => null, withDatabase: (work) => work({}) },
    terminal: { print: (line) => void printed.push(line), complain: (line) => void complained.push(line) },
    variables,
    exitCode: 0,
  });
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

describe('a mail by SMTP', () => {
  it('has text and HTML, and comes from the reply address', async () => {
    smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
    await mailer(to(smtp.port, { EMAIL_REPLY_TO: 'help@example.org' })).send(MAIL);
    const [{ raw, user, to: receivers }] = smtp.mails as [(typeof smtp.mails)[0]];
    expect(receivers).toEqual(['a@example.org']);
    expect(user).toBeNull();
    expect(raw).toMatch(/^From: help@example.org/m);
    expect(raw).toMatch(/^Reply-To: help@example.org/m);
    expect(raw).toMatch(/multipart\/alternative/);
    expect(raw).toMatch(/text\/plain[^]*text\/html/);
  });

  it('is plain text alone when there is no HTML', async () => {
    smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
    await mailer(to(smtp.port)).send({ ...MAIL, html: '' });
    expect(smtp.mails[0]?.raw).not.toMatch(/multipart|text\/html/);
    expect(smtp.mails[0]?.raw).toMatch(/^From: robot@example.org/m);
  });

  it.each([
    [{ EMAIL_SENDER: 'Browsertrix admin' }, /^From: Browsertrix admin <noreply@[^>\s]+>\r$/m, /^noreply@./],
    [
      { EMAIL_SENDER: 'Our archive', APP_ORIGIN: 'https://archive.example.org', EMAIL_SUPPORT: 'help@example.org' },
      /^From: Our archive <noreply@archive\.example\.org>\r$[^]*^Reply-To: help@example\.org\r$/m,
      /^noreply@archive\.example\.org$/,
    ],
    [
      { EMAIL_SENDER: 'Our archive <robot@example.org>' },
      /^From: Our archive <robot@example\.org>\r$/m,
      /^robot@example\.org$/,
    ],
    [
      { EMAIL_SENDER: 'robot@example.org', EMAIL_REPLY_TO: 'The team' },
      /^From: robot@example\.org\r$/m,
      /^robot@example\.org$/,
    ],
  ])('has a sender with an address, whatever the settings hold: %j', async (settings, header, envelope) => {
    smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
    await mailer(to(smtp.port, settings)).send(MAIL);
    expect(smtp.mails[0]?.raw).toMatch(header);
    expect(smtp.mails[0]?.from).toMatch(envelope);
  });

  it('logs in as the sender when there is a password', async () => {
    smtp = await startSmtp({ login: { user: 'robot@example.org', password: 'pw' }, disabledCommands: ['STARTTLS'] });
    await mailer(to(smtp.port, { EMAIL_PASSWORD: 'pw' })).send(MAIL);
    expect(smtp.mails[0]?.user).toBe('robot@example.org');
    await expect(mailer(to(smtp.port, { EMAIL_PASSWORD: 'wrong' })).send(MAIL)).rejects.toMatchObject({
      code: 'EAUTH',
    });
  });

  it('goes through STARTTLS when that is required, and to trusted servers only', async () => {
    smtp = await startSmtp();
    const variables = to(smtp.port, { EMAIL_SMTP_USE_TLS: 'true' });
    await mailer(variables, { rejectUnauthorized: false }).send(MAIL);
    expect(smtp.mails[0]?.secure).toBe(true);
    await expect(mailer(variables).send(MAIL)).rejects.toThrow(/certificate/);
    expect(smtp.mails).toHaveLength(1);
  });

  it('is not sent in clear when TLS is required and the server has none', async () => {
    smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
    await expect(mailer(to(smtp.port, { EMAIL_SMTP_USE_TLS: 'true' })).send(MAIL)).rejects.toThrow();
    expect(smtp.mails).toHaveLength(0);
  });
});

describe('muniment mail test', () => {
  it('sends a mail', async () => {
    smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
    const { code, printed } = await cli(['mail', 'test', 'You@example.org'], to(smtp.port));
    expect(code).toBe(0);
    expect(printed).toBe(`The mail to you@example.org went to smtp://localhost:${String(smtp.port)}.`);
    expect(smtp.mails[0]?.raw).toContain('Muniment can send mail');
  });

  it('says that mails are written to files without SMTP', async () => {
    const { code, printed } = await cli(['mail', 'test', 'you@example.org'], { DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(printed).toContain(`${join(dataDir, 'mail')} (EMAIL_SMTP_HOST is not set`);
    const [file] = await readdir(join(dataDir, 'mail'));
    expect((await stat(join(dataDir, 'mail', file ?? ''))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'mail'))).mode & 0o777).toBe(0o700);
  });

  it('explains why it could not', async () => {
    smtp = await startSmtp({ login: { user: 'robot@example.org', password: 'pw' } });
    const test = (variables: Record<string, string>) => cli(['mail', 'test', 'you@example.org'], variables);
    const wrong = await test(to(smtp.port, { EMAIL_PASSWORD: 'no' }));
    expect(wrong.code).toBe(1);
    expect(wrong.complained).toMatch(/refused the login .*EMAIL_SENDER and EMAIL_PASSWORD/s);
    expect((await test(to(1))).complained).toMatch(/nothing listens on localhost:1; check EMAIL_SMTP_HOST/);
    const untrusted = await test(to(smtp.port, { EMAIL_SMTP_USE_TLS: 'true' }));
    expect(untrusted.complained).toMatch(/no trusted TLS connection .*certificate/);
    expect((await cli(['mail', 'test', 'nonsense'], to(1))).complained).toMatch(/no email address/);
  });
});

describe('mails of requests', () => {
  it('are tried again after a failure, and never put tokens into the log', async () => {
    let refusals = 1;
    smtp = await startSmtp({
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_address, _session, done) => (refusals-- > 0 ? done(new Error('greylisted')) : done()),
    });
    const lines: string[] = [];
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = ((text: string) => lines.push(text) > 0) as typeof process.stderr.write;
    const under = await startApp({
      env: { EMAIL_SMTP_HOST: '127.0.0.1', EMAIL_SMTP_PORT: String(smtp.port), LOG_LEVEL: 'debug' },
    });
    try {
      await under.api.post('/auth/forgot-password', { email: ADMIN.email });
      await under.app.get(Mails).settled();
      expect(smtp.mails).toHaveLength(1);
      const token = /token=3D([\w.=\r\n-]+)/.exec(smtp.mails[0]?.raw ?? '')?.[1]?.slice(0, 30) ?? 'none';
      expect(lines.join('')).toContain('mail_sent');
      expect(lines.join('')).not.toContain(token);
    } finally {
      process.stderr.write = write;
      await under.close();
    }
  });
});

describe('the command line beside a running service', () => {
  const LOCAL = { CRAWL_DRIVER: 'local', CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' };
  const variablesOf = (under: AppUnderTest) => ({
    ...LOCAL,
    DATA_DIR: under.dataDir,
    MONGO_DB_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '',
    MONGO_DB_NAME: under.connection.name,
    LOG_LEVEL: 'silent',
  });

  it('creates, lists and rescues accounts', async () => {
    const under = await startApp({ env: LOCAL });
    const variables = variablesOf(under);
    try {
      const made = await cli(['user', 'create', 'New@example.org', '--role', 'owner'], variables);
      expect(made.code).toBe(0);
      const password = /^Created new@example.org; password: (\w{20})$/.exec(made.printed)?.[1] ?? '';
      const api = await under.login('new@example.org', password);
      expect((await api.get('/users/me')).body.orgs).toMatchObject([{ role: 40, default: true }]);
      const again = await cli(['user', 'create', 'new@example.org'], variables);
      expect([again.code, again.complained]).toEqual([1, 'user_already_exists']);

      const { email } = await aMember(under, await under.defaultOrgId(), 10);
      for (let i = 0; i < 6; i++)
        await under.api.call('POST', '/auth/jwt/login', { form: { username: email, password: 'wrong' } });
      const reset = await cli(['user', 'reset-password', email, '--password', 'a new password'], variables);
      expect(reset.printed).toBe(`The password of ${email} was replaced.`);
      await under.login(email, 'a new password');
      expect((await cli(['user', 'reset-password', 'x@example.org'], variables)).complained).toBe('user_not_found');

      const users = (await cli(['user', 'list'], variables)).printed;
      expect(users).toContain('new@example.org  verified  my-organization (owner)');
      expect(users).toMatch(/superuser/);
      const orgs = (await cli(['org', 'list'], variables)).printed;
      expect(orgs).toContain(`${await under.defaultOrgId()}  my-organization  "My Organization"`);
    } finally {
      await under.close();
    }
  });

  it('checks the archive and verifies its files', async () => {
    const under = await startApp({ env: LOCAL });
    const variables = variablesOf(under);
    try {
      const checked = await cli(['check'], variables);
      expect(checked.complained).toBe('');
      expect(checked.printed).toContain('crawls run by the local driver');
      expect(await cli(['fixity'], variables)).toEqual({
        code: 0,
        printed: '0 records verified, 0 with files that are damaged, missing or out of reach.',
        complained: '',
      });
    } finally {
      await under.close();
    }
  });
});
