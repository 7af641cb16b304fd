import { defineTexts } from '../../../i18n/texts';

export const revisionsTexts = defineTexts('revisions', {
  title: 'Revisions',
  lead: 'Each change of the settings keeps the former ones. Name, description, tags and collections are not part of it.',
  workflow: 'Workflow',
  current: 'now',
  revision: 'Revision {rev, number}',
  list: 'All revisions',
  older: 'Compare',
  newer: 'with',
  optionOf: '{rev, number} · {when}',
  optionNow: '{rev, number} · {when} (now)',
  same: 'These two revisions have the same settings.',
  only: 'There is one revision',
  onlyText: 'The settings have not been changed since the workflow was made.',
  restore: 'Restore revision {rev, number}',
  restoreTitle: 'Restore revision {rev, number}?',
  restoreText: 'The workflow gets the settings of then. Those of now are kept as a revision too.',
  restored: 'The workflow has the settings of revision {rev, number} again.',
});
