import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { qaTexts } from './qa.texts';

export function QaPage() {
  const say = useTexts(qaTexts);
  return <Page title={say('title')}>{null}</Page>;
}
