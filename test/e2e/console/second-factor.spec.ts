import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../support/browser.js';
import { axeFindings, picture } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { FactorStage } from '../../support/factor-stage.js';
import { aMember, anOrg, PASSWORD } from '../../support/people.js';
import { ADMIN, startApp, type AppUnderTest } from '../../support/start-app.js';

const BOUND_MS = 300_000;

describe('a second factor in the console', () => {
  let under: AppUnderTest;
  let stage: FactorStage;
  let browser: Browser;
  let page: Page;
  /** Passkeys need a name. */
  let base: string;

  beforeAll(async () => {
    under = await startApp({ today: true });
    stage = new FactorStage(under);
    base = under.baseUrl.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
  }, BOUND_MS);
  afterAll(async () => {
    await browser?.close();
    await under?.close();
  });
  beforeEach(async () => {
    page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true });
  });
  afterEach(() => page.context().close());

  /** An authenticator of the browser. @returns has it answer by itself, or wait for somebody to touch it */
  async function authenticator(of: Page): Promise<{ cdp: CDPSession; touched: (isOn: boolean) => Promise<void> }> {
    const session = await of.context().newCDPSession(of);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    await of.addInitScript(() => {
      const asked = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = (options) => {
        Object.assign(window, { isAskedForPasskey: options?.mediation === 'conditional' });
        return asked(options);
      };
    });
    const touched = async (enabled: boolean): Promise<void> => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    };
    return { cdp: session, touched };
  }
  const seen = async (name: string): Promise<void> => {
    await picture(page, `factor-${name}`);
    expect(await axeFindings(page)).toEqual([]);
  };
  const section = () => page.getByRole('region', { name: 'Second factor' });
  async function logIn(email: string, password = PASSWORD): Promise<void> {
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
  }
  const logOut = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  };
  const prove = async (): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
  };

  it(
    'is an app, set up by its QR code or secret, whose codes and recovery codes let one in',
    async () => {
      const { email } = await aMember(under, await under.defaultOrgId(), 20);
      await page.goto(`${base}/account`);
      await logIn(email);
      await section().getByRole('button', { name: 'Set up' }).click();
      await seen('proof');
      await prove();
      const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
      await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
      const secret = ((await dialog.locator('pre').textContent()) ?? '').replaceAll(' ', '');
      await seen('totp');
      await dialog.getByLabel('Code that the app shows').fill('000000');
      await dialog.getByRole('button', { name: 'Finish' }).click();
      await dialog.getByRole('alert').getByText('The code is wrong').waitFor();
      await dialog.getByLabel('Code that the app shows').fill(stage.code(secret));
      await dialog.getByRole('button', { name: 'Finish' }).click();
      const notice = page.getByRole('alert').filter({ hasText: 'Keep these recovery codes now' });
      await notice.locator('code').last().waitFor();
      const codes = await notice.locator('code').allTextContents();
      expect(codes).toHaveLength(10);
      await notice.getByRole('button', { name: 'Copy codes' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${codes.join('\n')}\n`);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        notice.getByRole('button', { name: 'Download' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('muniment-recovery-codes.txt');
      await seen('codes');
      await notice.getByRole('button', { name: 'I have kept them' }).click();
      await page.getByText('10 codes are left').waitFor();
      await seen('own');

      await logOut();
      await logIn(email);
      await page.getByLabel('Code of the app').waitFor();
      await seen('second-step');
      await page.getByLabel('Code of the app').fill('000000');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('alert').getByText('The code is wrong').waitFor();
      stage.pass();
      await page.getByLabel('Code of the app').fill(stage.code(secret));
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Account', exact: true }).waitFor();

      await logOut();
      await logIn(email);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(codes[0] ?? '');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
      await page.goto(`${base}/account`);
      await page.getByText('9 codes are left').waitFor();
      await section().getByRole('button', { name: 'Remove', exact: true }).click();
      await prove();
      await section().getByRole('button', { name: 'Set up' }).waitFor();
      await stage.under.login(email, PASSWORD);
    },
    BOUND_MS,
  );

  it(
    'is a passkey, which logs in by itself or beside the password',
    async () => {
      const { cdp, touched } = await authenticator(page);
      const { email } = await aMember(under, await under.defaultOrgId(), 20);
      await page.goto(`${base}/account`);
      await logIn(email);
      await section().getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByRole('dialog').getByLabel('What is it called?').fill('Phone of <b>Vera</b>');
      await seen('new-passkey');
      await prove();
      await page.getByRole('alert').filter({ hasText: 'Keep these recovery codes now' }).waitFor();
      await page.getByRole('cell', { name: 'Phone of <b>Vera</b>', exact: true }).waitFor();
      await seen('passkeys');

      await touched(false);
      await logOut();
      await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
      await seen('log-in');
      // The browser offers it in the field for the address, without a click.
      await touched(true);
      await page.reload();
      await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
      await page.goto(`${base}/account`);
      await page.getByText('By passkey').waitFor();

      await touched(false);
      await logOut();
      // What waits for a touch already goes on waiting.
      await eventually(async () => {
        expect(await page.evaluate(() => (window as { isAskedForPasskey?: boolean }).isAskedForPasskey)).toBe(true);
      });
      await touched(true);
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.getByRole('button', { name: 'Account', exact: true }).waitFor();

      await touched(false);
      await logOut();
      await logIn(email);
      await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
      await touched(true);
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.getByRole('button', { name: 'Account', exact: true }).waitFor();

      // Where there is none, the browser says so, and other ways stay.
      await touched(false);
      await logOut();
      await cdp.send('WebAuthn.disable');
      await page.goto(`${under.baseUrl}/account`);
      await logIn(email);
      await page.getByRole('button', { name: 'Use a recovery code' }).waitFor();

      await page.goto(`${base}/account`);
      await page.getByRole('button', { name: 'Log in with a passkey' }).waitFor();
      expect(await page.getByRole('button', { name: 'Log in with a passkey' }).count()).toBe(1);
      await page.goto(`${under.baseUrl}/account`);
      await page.getByRole('textbox', { name: 'Email' }).waitFor();
      expect(await page.getByRole('button', { name: 'Log in with a passkey' }).count()).toBe(0);
    },
    BOUND_MS,
  );

  it(
    'is wanted by an org, which shows who lacks one, and stays closed to them until they have one',
    async () => {
      const oid = await anOrg(under, { name: 'Careful' });
      const owner = await stage.aProved(oid, 40);
      const member = await aMember(under, oid, 20);
      const slug = (await owner.api.get(`/orgs/${oid}`)).body.slug as string;
      await page.goto(`${base}/o/${slug}/settings?tab=members`);
      await logIn(owner.email);
      await page.getByLabel('Code of the app').fill(stage.code(owner.secret));
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('1 member has none').waitFor();
      await seen('org');
      await page.getByRole('switch', { name: 'Members need a second factor' }).click();
      await page.getByText('They get no further than setting one up.').waitFor();

      const other = await openPage(browser);
      await other.goto(`${base}/o/${slug}/items`);
      await other.getByRole('textbox', { name: 'Email' }).fill(member.email);
      await other.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await other.getByRole('button', { name: 'Log in', exact: true }).click();
      await other.getByRole('heading', { name: 'This org needs a second factor' }).waitFor();
      await picture(other, 'factor-demanded');
      expect(await axeFindings(other)).toEqual([]);
      await other.getByRole('link', { name: 'Set up a second factor' }).click();
      await other.getByText('A second factor is needed').waitFor();
      await other.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Set up' }).click();
      await other.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
      await other.getByRole('button', { name: 'Continue' }).click();
      const dialog = other.getByRole('dialog', { name: 'Set up an authenticator app' });
      const secret = ((await dialog.locator('pre').textContent()) ?? '').replaceAll(' ', '');
      await dialog.getByLabel('Code that the app shows').fill(stage.code(secret));
      await dialog.getByRole('button', { name: 'Finish' }).click();
      await other.getByText('Keep these recovery codes now').waitFor();
      await other.goto(`${base}/o/${slug}/items`);
      await other.getByRole('link', { name: 'Collections' }).first().waitFor();
      await other.context().close();
    },
    BOUND_MS,
  );

  it(
    'is removed by a superuser for whom has lost it, who is then let in by the password alone',
    async () => {
      const { email } = await stage.aProved(await under.defaultOrgId());
      await page.goto(`${base}/admin?tab=users`);
      await logIn(ADMIN.email, ADMIN.password);
      await page.getByRole('button', { name: `Remove the second factor of ${email}` }).click();
      await seen('removed-by-superuser');
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await page.getByText('The second factor is removed.').waitFor();
      await logOut();
      await logIn(email);
      await page.getByRole('button', { name: 'Account', exact: true }).waitFor();
    },
    BOUND_MS,
  );

  it(
    'and passwords: fields can be pasted into, shown and filled by password managers, and common ones are refused',
    async () => {
      const { email } = await aMember(under, await under.defaultOrgId(), 20);
      await page.goto(`${base}/account`);
      const field = page.getByRole('textbox', { name: 'Password' });
      expect(await field.getAttribute('type')).toBe('password');
      expect(await field.getAttribute('autocomplete')).toBe('current-password');
      await page.evaluate((text) => navigator.clipboard.writeText(text), PASSWORD);
      await field.focus();
      await page.keyboard.press('Control+V');
      expect(await field.inputValue()).toBe(PASSWORD);
      await page
        .getByRole('button', { name: /password/i, exact: false })
        .first()
        .click();
      expect(await field.getAttribute('type')).toBe('text');
      await page.getByRole('textbox', { name: 'Email' }).fill(email);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();

      const own = page.getByRole('region', { name: 'Password' });
      await own.getByLabel('Current password').fill(PASSWORD);
      for (const common of ['iloveyou', 'muniment2026']) {
        await own.getByLabel('New password').fill(common);
        await own.getByRole('button', { name: 'Change the password' }).click();
        await own.getByRole('alert').getByText('easy to guess').waitFor();
      }
      const name = page.getByRole('region', { name: 'Name and email' });
      await name.getByLabel('Email').fill(`moved-${email}`);
      await name.getByLabel('Your password, for the new address').fill('not hers');
      await name.getByRole('button', { name: 'Save' }).click();
      await name.getByRole('alert').getByText('The current password is wrong').waitFor();
      await seen('new-address');
      await name.getByLabel('Your password, for the new address').fill(PASSWORD);
      await name.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Your account is saved.').waitFor();
      await under.login(`moved-${email}`, PASSWORD);
    },
    BOUND_MS,
  );
});
