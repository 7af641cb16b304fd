import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { collectionsTexts } from './collections.texts';

export function CollectionsPage() {
  const say = useTexts(collectionsTexts);
  return <Page title={say('title')}>{null}</Page>;
}
