import { defineTexts } from '../../i18n/texts';

export const uploadsTexts = defineTexts('uploads', { title: 'Uploads' });
