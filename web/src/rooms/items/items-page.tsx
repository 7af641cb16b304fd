import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { itemsTexts } from './items.texts';

export function ItemsPage() {
  const say = useTexts(itemsTexts);
  return <Page title={say('title')}>{null}</Page>;
}
