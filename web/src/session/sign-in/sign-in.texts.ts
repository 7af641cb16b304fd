import { defineTexts } from '../../i18n/texts';

export const signInTexts = defineTexts('sign-in', {
  with: 'Sign in with {name}',
  or: 'or with a password',
  password: 'Log in with a password',
  expired: 'The sign-in took too long, or was begun in another window. Try again.',
  notProven: 'The answer of the provider cannot be trusted. Try again; if it stays so, tell your administrator.',
  denied: 'The provider did not let you in.',
  away: 'The provider cannot be reached at the moment. Try again later.',
  noAccount: 'You have no account here. Ask your administrator for one.',
  unverified: 'The provider has not verified your email address, so it opens no account here.',
  taken: 'There is an account with your email address that this sign-in may not open. Ask your administrator.',
  factorNeeded: 'Your account has a second factor, which is asked for here. Sign in on this page.',
  failed: 'The sign-in failed. Try again.',
});
