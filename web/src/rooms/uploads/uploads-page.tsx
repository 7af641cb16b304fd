import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { uploadsTexts } from './uploads.texts';

export function UploadsPage() {
  const say = useTexts(uploadsTexts);
  return <Page title={say('title')}>{null}</Page>;
}
