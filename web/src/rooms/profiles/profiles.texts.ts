import { defineTexts } from '../../i18n/texts';

export const profilesTexts = defineTexts('profiles', { title: 'Browser profiles' });
