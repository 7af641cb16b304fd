import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../support/browser.js';
import { axeFindings, picture } from '../../support/console.js';
import { aMember, anEmail, anOrg, forgetMails, sentMails } from '../../support/people.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const BOUND_MS = 300_000;

describe('the pages that links in mails lead to', () => {
  let under: AppUnderTest;
  let browser: Browser;
  let page: Page;
  let oid: string;

  beforeAll(async () => {
    under = await startApp({ today: true, env: { REGISTRATION_ENABLED: 'true' } });
    oid = await under.defaultOrgId();
    browser = await launchBrowser();
  }, BOUND_MS);
  afterAll(async () => {
    await browser?.close();
    await under?.close();
  });
  beforeEach(async () => {
    await forgetMails(under);
    page = await openPage(browser);
  });
  afterEach(() => page.context().close());

  /** The form that the person sees. */
  const shown = () => page.locator('form').filter({ visible: true });

  /** The link of the last mail to an address, as its reader opens it. */
  async function linkMailedTo(email: string): Promise<string> {
    const mail = (await sentMails(under)).findLast((text) => text.includes(`To: ${email}`));
    const link = /https?:\/\/[^\s"<>]+/.exec(mail ?? '')?.[0];
    if (!link) throw new Error(`no link was mailed to ${email}`);
    return link;
  }
  /** Looks at the page: its picture, and that everybody can use it. */
  async function seen(name: string): Promise<void> {
    await picture(page, `account-${name}`);
    expect(await axeFindings(page)).toEqual([]);
  }
  const title = (text: string) => page.getByRole('heading', { name: text }).waitFor();
  const isLoggedInAs = async (email: string) => {
    await page.waitForURL(/\/o\//);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByText(email).waitFor();
    await page.keyboard.press('Escape');
  };
  async function logIn(email: string, password: string): Promise<void> {
    await shown().getByLabel('Email').fill(email);
    await shown().getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  it(
    'let whoever started the service choose the first password, once',
    async () => {
      const { email, password } = await aMember(under, oid, 40);
      const link = `${under.baseUrl}/setup#${String(new URLSearchParams({ email, password }))}`;
      await page.goto(link);
      await title('Welcome to Muniment');
      await seen('setup');
      await shown().getByLabel('New password').fill('chosen by a person');
      await page.getByRole('button', { name: 'Begin' }).click();
      await isLoggedInAs(email);
      expect(page.url()).not.toContain(password);
      await under.login(email, 'chosen by a person');

      const other = await openPage(browser);
      await other.goto(link);
      await other.getByLabel('New password').fill('chosen by another');
      await other.getByRole('button', { name: 'Begin' }).click();
      await other.getByRole('heading', { name: 'The password is chosen already' }).waitFor();
      expect(await axeFindings(other)).toEqual([]);
      await other.goto(`${under.baseUrl}/setup`);
      await other.reload();
      await other.getByRole('heading', { name: 'Open the whole link' }).waitFor();
      await other.context().close();
    },
    BOUND_MS,
  );

  it(
    'take somebody who forgot the password from the log-in form to a new one',
    async () => {
      const { email } = await aMember(under, oid, 20);
      await page.goto(under.baseUrl);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await seen('forgot');
      await shown().getByLabel('Email').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await title('Look into your mail');
      const link = await linkMailedTo(email);
      await page.goto(link);
      await seen('reset');
      await shown().getByLabel('New password').fill('a new pass phrase');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await title('Your password is changed');
      await page.getByRole('link', { name: 'Log in' }).click();
      await logIn(email, 'a new pass phrase');
      await isLoggedInAs(email);
      await page.goto(link);
      await shown().getByLabel('New password').fill('another pass phrase');
      await page.getByRole('button', { name: 'Change the password' }).click();
      await page.getByRole('alert').getByText('used already').waitFor();
      await seen('reset-refused');
    },
    BOUND_MS,
  );

  it(
    'make a member of somebody new who was invited, and tell of an invite that is gone',
    async () => {
      const email = anEmail('invited');
      await (await under.admin()).post(`/orgs/${oid}/invite`, { email, role: 20 });
      const link = await linkMailedTo(email);
      await page.goto(link);
      await page.getByText('You are invited').waitFor();
      await seen('join');
      expect(await shown().getByLabel('Email').inputValue()).toBe(email);
      await shown().getByLabel('Your name').fill('Ines <b>Invited</b>');
      await shown().getByLabel('New password').fill('a pass phrase of hers');
      await page.getByRole('button', { name: 'Create my account' }).click();
      await isLoggedInAs(email);
      await page.goto(link);
      await title('No such invite');
      await seen('join-gone');
    },
    BOUND_MS,
  );

  it(
    'let the first administrator name the org',
    async () => {
      const email = anEmail('first');
      const admin = await under.admin();
      const own = await anOrg(under);
      await admin.post(`/orgs/${own}/invite`, { email, role: 40 });
      await page.goto(await linkMailedTo(email));
      await shown().getByLabel('Name of your organization').fill('Archives of Åland');
      await shown().getByLabel('Your name').fill('Fia First');
      await shown().getByLabel('New password').fill('a pass phrase of hers');
      await seen('join-first');
      await page.getByRole('button', { name: 'Create my account' }).click();
      await isLoggedInAs(email);
      expect((await admin.get(`/orgs/${own}`)).body).toMatchObject({
        name: 'Archives of Åland',
        slug: 'archives-of-aland',
      });
    },
    BOUND_MS,
  );

  it(
    'let somebody with an account accept an invite to a further org',
    async () => {
      const member = await aMember(under, oid, 10);
      const other = await anOrg(under, { name: 'The other org' });
      await forgetMails(under);
      await (await under.admin()).post(`/orgs/${other}/invite`, { email: member.email, role: 20 });
      await page.goto(await linkMailedTo(member.email));
      await title('Accept an invite');
      await seen('accept');
      await logIn(member.email, member.password);
      await page.getByText('to join The other org').waitFor();
      await page.getByRole('button', { name: 'Accept' }).click();
      await title('Welcome to The other org');
      expect((await member.api.get(`/orgs/${other}`)).status).toBe(200);
    },
    BOUND_MS,
  );

  it(
    'verify an address once',
    async () => {
      const email = anEmail('registered');
      const body = { email, password: 'a pass phrase of hers', name: 'Rea' };
      expect((await under.api.post('/auth/register', body)).status).toBe(201);
      const link = await linkMailedTo(email);
      await page.goto(link);
      await title('Your address is verified');
      await page.goto('about:blank');
      await page.goto(link);
      await title('Not verified');
    },
    BOUND_MS,
  );

  it(
    'let somebody sign up, and say when the address is known',
    async () => {
      const email = anEmail('fresh');
      await page.goto(under.baseUrl);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await title('Create an account');
      await shown().getByLabel('Email').fill(email);
      await shown().getByLabel('Your name').fill('Freya Fresh');
      await shown().getByLabel('New password').fill('a pass phrase of hers');
      await seen('sign-up');
      await page.getByRole('button', { name: 'Create my account' }).click();
      await isLoggedInAs(email);
      await page.goto(`${under.baseUrl}/sign-up`);
      await shown().getByLabel('Email').fill(email);
      await shown().getByLabel('Your name').fill('Somebody else');
      await shown().getByLabel('New password').fill('another pass phrase');
      await page.getByRole('button', { name: 'Create my account' }).click();
      await title('You have an account already');
    },
    BOUND_MS,
  );

  it(
    'tell how long a locked address has to wait',
    async () => {
      const { email, password } = await aMember(under, oid, 20);
      await page.goto(under.baseUrl);
      for (let i = 0; i < 5; i++) {
        await logIn(email, `wrong ${String(i)}`);
        await page.getByRole('alert').getByText('is wrong').waitFor();
      }
      await logIn(email, password);
      await page.getByRole('alert').getByText('Try again in 60 minutes').waitFor();
      await seen('locked');
    },
    BOUND_MS,
  );

  it(
    'let somebody see and change what is theirs',
    async () => {
      const email = anEmail('owner');
      const body = { email, password: 'a pass phrase of hers', name: 'Olga' };
      expect((await under.api.post('/auth/register', body)).status).toBe(201);
      await forgetMails(under);
      await page.goto(`${under.baseUrl}/account`);
      await logIn(email, body.password);
      await title('Your account');
      await page.getByText('Nobody has followed the link').waitFor();
      await page.getByRole('button', { name: 'Send the mail again' }).click();
      await page.getByText('A mail is on its way').waitFor();
      await seen('own');

      const link = await linkMailedTo(email);
      await page.goto(link);
      await title('Your address is verified');
      await page.goto(`${under.baseUrl}/account`);
      await page.getByText('Verified', { exact: true }).waitFor();

      const renamed = anEmail('renamed');
      const own = page.getByRole('region', { name: 'Name and email' });
      await own.getByLabel('Your name').fill('Olga <i>Owner</i>');
      await own.getByLabel('Email').fill(renamed);
      await own.getByLabel('Your password, for the new address').fill(body.password);
      await own.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your account is saved.').waitFor();

      const password = page.getByRole('region', { name: 'Password' });
      await password.getByLabel('Current password').fill('not hers');
      await password.getByLabel('New password').fill('a new pass phrase');
      await password.getByRole('button', { name: 'Change the password' }).click();
      await page.getByRole('alert').getByText('The current password is wrong').waitFor();
      await seen('own-refused');
      await password.getByLabel('Current password').fill(body.password);
      await password.getByRole('button', { name: 'Change the password' }).click();
      await page.getByText('Your password is changed.').waitFor();

      const api = await under.login(renamed, 'a new pass phrase');
      expect((await api.get('/users/me')).body).toMatchObject({ name: 'Olga <i>Owner</i>', email: renamed });
      await page.getByRole('region', { name: 'Your orgs' }).getByRole('link').first().click();
      await page.waitForURL(/\/o\//);
    },
    BOUND_MS,
  );

  it('are framed by nobody and send no referrer, which would hold their token', async () => {
    for (const path of ['/reset-password?token=x', '/join/x', '/invite/accept/x', '/verify', '/forgot-password']) {
      const { status, headers } = await fetch(new URL(path, under.baseUrl));
      expect([path, status, headers.get('referrer-policy')]).toEqual([path, 200, 'no-referrer']);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });
});
