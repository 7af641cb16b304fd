import { domainToUnicode } from 'node:url';

const SPECIAL_USE = ['arpa', 'invalid', 'local', 'localhost', 'onion', 'test'];
const LOCAL_CHARS = /^[a-z0-9.!#$%&'*+/=?^_`{|}~\-\u0080-\u{10FFFF}]+$/iu;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u;

export type EmailResult = { readonly address: string } | { readonly reason: string };

/** Longest accepted address, in UTF-16 units. */
const MAX_LENGTH = 254;
/** Control, format, private and unassigned characters. Unseen, and ignored when the database compares. */
const UNSEEN = /\p{C}/u;

/** Reduces `Display Name <addr>` to `addr`. */
function addressPart(text: string): string {
  const bracketed = /^[^<>]*<([^<>]*)>$/.exec(text);
  return (bracketed ? (bracketed[1] ?? '') : text).trim();
}

function localProblem(local: string): string | null {
  if (local === '') return 'There must be something before the @-sign.';
  if (/^\p{M}/u.test(local)) return 'The email address contains unsafe characters.';
  if (local.startsWith('"')) return 'Quoting the part before the @-sign is not allowed here.';
  if (local.startsWith('.')) return 'An email address cannot start with a period.';
  if (local.endsWith('.')) return 'An email address cannot have a period immediately before the @-sign.';
  if (local.includes('..')) return 'An email address cannot have two periods in a row.';
  if (!LOCAL_CHARS.test(local)) return 'The email address contains invalid characters before the @-sign.';
  return null;
}

function domainProblem(domain: string): string | null {
  if (domain === '') return 'There must be something after the @-sign.';
  if (domain.startsWith('.')) return 'An email address cannot have a period immediately after the @-sign.';
  if (domain.endsWith('.')) return 'An email address cannot end with a period.';
  if (domain.includes('..')) return 'An email address cannot have two periods in a row.';
  const labels = domain.split('.');
  if (labels.length < 2) return 'The part after the @-sign is not valid. It should have a period.';
  if (!labels.every((label) => LABEL.test(label) && label.length <= 63))
    return 'The part after the @-sign contains invalid characters.';
  const tld = labels.at(-1) ?? '';
  if (/^\d+$/.test(tld)) return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  if (SPECIAL_USE.includes(tld))
    return 'The part after the @-sign is a special-use or reserved name that cannot be used with email.';
  return null;
}

/** The reference stores the Unicode form of a punycode domain. */
const unicodeDomain = (domain: string): string =>
  domain.includes('xn--') ? domainToUnicode(domain) || domain : domain;

/** Checks and normalises an address as accounts §1.4 says, without a DNS look-up. */
export function parseEmail(text: string): EmailResult {
  const address = addressPart(text.trim()).normalize('NFC').toLowerCase();
  if (!address.includes('@')) return { reason: 'An email address must have an @-sign.' };
  if (UNSEEN.test(address)) return { reason: 'The email address contains unsafe characters.' };
  if (/\s/.test(address)) return { reason: 'The email address contains invalid characters: SPACE.' };
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = unicodeDomain(address.slice(at + 1));
  const problem = local.includes('@')
    ? 'The email address contains invalid characters before the @-sign: @.'
    : (localProblem(local) ?? domainProblem(domain));
  if (problem) return { reason: problem };
  if (address.length > MAX_LENGTH) return { reason: 'The email address is too long.' };
  return { address: `${local}@${domain}` };
}

/**
 * The spelling by which a typed login name is looked up and counted; null for text that no account can be called. The
 * name needs no valid form, because attempts with unknown names are counted too. Contract: accounts §2.3, §3.
 */
export function loginName(text: string): string | null {
  const name = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/\p{C}|\p{Default_Ignorable_Code_Point}/gu, '');
  return name.length <= MAX_LENGTH ? name : null;
}
