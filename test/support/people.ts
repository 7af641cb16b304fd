import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Mails } from '../../src/mail/mails.js';
import type { ApiClient } from './api-client.js';
import type { AppUnderTest } from './start-app.js';

let made = 0;
export const PASSWORD = 'correct horse';

/** An address that no other test of the file uses. */
export const anEmail = (word = 'person'): string => `${word}${String(++made)}@example.com`;

export interface Member {
  readonly email: string;
  readonly password: string;
  readonly api: ApiClient;
  readonly id: string;
}

/** A new account with this role in the org, logged in. */
export async function aMember(under: AppUnderTest, oid: string, role: 10 | 20 | 40): Promise<Member> {
  const admin = await under.admin();
  const email = anEmail('member');
  const added = await admin.post(`/orgs/${oid}/add-user`, { email, password: PASSWORD, name: email, role });
  if (added.status !== 200) throw new Error(`add-user answered ${String(added.status)}`);
  const api = await under.login(email, PASSWORD);
  return { email, password: PASSWORD, api, id: (await api.get('/users/me')).body.id as string };
}

/** A new org. @returns its id */
export async function anOrg(under: AppUnderTest, fields: Record<string, unknown> = {}): Promise<string> {
  const admin = await under.admin();
  const created = await admin.post('/orgs/create', { name: `Org ${String(++made)}`, ...fields });
  if (created.status !== 200) throw new Error(`orgs/create answered ${JSON.stringify(created.body)}`);
  return created.body.id as string;
}

export interface TwoOrgs {
  readonly oid: string;
  readonly otherOid: string;
  readonly crawler: Member;
  readonly viewer: Member;
  /** Owns the other org, and is no member of the first. */
  readonly stranger: Member;
}

/** An org with members, and one that has no business with it. */
export async function twoOrgs(under: AppUnderTest): Promise<TwoOrgs> {
  const [oid, otherOid] = [await anOrg(under), await anOrg(under)];
  return {
    oid,
    otherOid,
    crawler: await aMember(under, oid, 20),
    viewer: await aMember(under, oid, 10),
    stranger: await aMember(under, otherOid, 40),
  };
}

const folder = (under: AppUnderTest): string => join(under.dataDir, 'mail');

/** The mails written so far, oldest first, soft line breaks undone. */
export async function sentMails(under: AppUnderTest): Promise<string[]> {
  await under.app.get(Mails, { strict: false }).settled();
  const names = (await readdir(folder(under)).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder(under), name), 'utf8')));
  return texts.map((text) => text.replace(/=\n/g, '').replace(/=3D/g, '='));
}

export async function forgetMails(under: AppUnderTest): Promise<void> {
  await under.app.get(Mails, { strict: false }).settled();
  await rm(folder(under), { recursive: true, force: true });
}

/** The token in the mail to an address. */
export async function tokenMailedTo(under: AppUnderTest, email: string): Promise<string> {
  const mail = (await sentMails(under)).findLast((text) => text.includes(`To: ${email}`));
  const token = /[?&]token=([\w.-]+)|\/(?:join|accept)\/([\w-]+)/.exec(mail ?? '');
  if (!token) throw new Error(`no token was mailed to ${email}`);
  return token[1] ?? token[2] ?? '';
}
