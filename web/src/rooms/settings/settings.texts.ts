import { defineTexts } from '../../i18n/texts';

export const settingsTexts = defineTexts('settings', { title: 'Org settings' });
