import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { workflowsTexts } from './workflows.texts';

export function WorkflowsPage() {
  const say = useTexts(workflowsTexts);
  return <Page title={say('title')}>{null}</Page>;
}
