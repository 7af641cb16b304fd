import { readFileSync } from 'node:fs';
import { Injectable } from '@nestjs/common';
import { invalid } from '../common/errors/domain-error.js';
import { AppConfig } from '../config/app-config.js';
import { assertPassword } from './password-hasher.js';

/** The password is one of the commonest, or made of the person's name, their address or the service's name. */
export class PasswordTooCommon extends invalid('password_too_common') {}

/** Words that say what this is, of which no good password is made alone (OWASP ASVS 5.0, 6.1.2). */
const WORDS = [
  'muniment',
  'browsertrix',
  'webrecorder',
  'archive',
  'archives',
  'archiving',
  'crawler',
  'crawl',
  'wacz',
];
const WORDS_OF_LOGINS = ['password', 'passwort', 'secret', 'login', 'admin', 'welcome', 'user', 'test'];
/** Shorter ones are in every other word. */
const SHORTEST_WORD = 3;

const COMMONEST: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
);

/** Whose password it is to be, and who asks. */
export interface NewPassword {
  readonly password: string;
  /** What others know of the person: name, address. */
  readonly about: readonly string[];
  /** Whether the client asks to be refused, as the console does. */
  readonly isStrict: boolean;
}

/** Judges passwords to be. Existing clients are refused for length alone, unless the deployment says more. */
@Injectable()
export class NewPasswords {
  constructor(private readonly config: AppConfig) {}

  /** @throws InvalidPassword, PasswordTooCommon */
  assert({ password, about, isStrict }: NewPassword): void {
    assertPassword(password);
    if (!isStrict && !this.config.auth.refusesCommonPasswords) return;
    const words = wordsIn([...about, this.config.http.appOrigin]).concat(WORDS, WORDS_OF_LOGINS);
    if (isCommon(password, words)) throw new PasswordTooCommon();
  }
}

const wordsIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}]+/u)).filter((word) => word.length >= SHORTEST_WORD);

/** @param words of the context, of which a password must not consist, whatever digits and signs stand between */
export function isCommon(password: string, words: readonly string[]): boolean {
  const text = password.toLowerCase();
  if (COMMONEST.has(text)) return true;
  let letters = text.replace(/[^\p{L}]+/gu, '');
  if (letters === '') return false;
  // The longest first, of which shorter ones may be a part.
  for (const word of [...words].sort((a, b) => b.length - a.length)) letters = letters.split(word).join('');
  return letters === '';
}
