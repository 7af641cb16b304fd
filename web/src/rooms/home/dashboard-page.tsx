import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { homeTexts } from './home.texts';

export function DashboardPage() {
  const say = useTexts(homeTexts);
  return <Page title={say('title')}>{null}</Page>;
}
