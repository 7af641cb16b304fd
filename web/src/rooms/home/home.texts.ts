import { defineTexts } from '../../i18n/texts';

export const homeTexts = defineTexts('home', {
  title: 'Dashboard',
  noOrgs: 'You belong to no org yet',
  noOrgsText: 'Ask somebody who administers one for an invite to your email address.',
  account: 'Your account',
});
