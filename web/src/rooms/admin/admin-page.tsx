import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { adminTexts } from './admin.texts';

export function AdminPage() {
  const say = useTexts(adminTexts);
  return <Page title={say('title')}>{null}</Page>;
}
