import { defineTexts } from '../../i18n/texts';

export const publicTexts = defineTexts('public', { title: 'Public collections' });
