import { defineTexts } from '../../i18n/texts';

export const workflowsTexts = defineTexts('workflows', { title: 'Workflows' });
