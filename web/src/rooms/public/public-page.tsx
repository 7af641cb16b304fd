import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { publicTexts } from './public.texts';

export function PublicPage() {
  const say = useTexts(publicTexts);
  return <Page title={say('title')}>{null}</Page>;
}
