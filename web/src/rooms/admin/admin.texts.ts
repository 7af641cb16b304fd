import { defineTexts } from '../../i18n/texts';

export const adminTexts = defineTexts('admin', { title: 'Administration' });
