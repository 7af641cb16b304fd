import { defineTexts } from '../i18n/texts';

export const sessionTexts = defineTexts('session', {
  title: 'Log in',
  email: 'Email',
  password: 'Password',
  logIn: 'Log in',
  forgot: 'Forgot your password?',
  signUp: 'Create an account',
  wrong: 'The email address or the password is wrong.',
  locked: 'Too many attempts. Try again in {wait}, or reset the password.',
  lockedLong: 'Too many attempts. Try again later, or reset the password.',
  openReplay: 'Open the replay',
  openReplayText: 'It opens in a tab of its own.',
  tagline: 'Web archives that replay for decades',
});
