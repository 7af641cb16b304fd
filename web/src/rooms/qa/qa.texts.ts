import { defineTexts } from '../../i18n/texts';

export const qaTexts = defineTexts('qa', { title: 'Quality' });
