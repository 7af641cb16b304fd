import { defineTexts } from '../../i18n/texts';

export const itemsTexts = defineTexts('items', { title: 'Archived items' });
