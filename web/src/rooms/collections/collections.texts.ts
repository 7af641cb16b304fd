import { defineTexts } from '../../i18n/texts';

export const collectionsTexts = defineTexts('collections', { title: 'Collections' });
