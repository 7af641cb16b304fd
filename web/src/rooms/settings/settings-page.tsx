import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { settingsTexts } from './settings.texts';

export function SettingsPage() {
  const say = useTexts(settingsTexts);
  return <Page title={say('title')}>{null}</Page>;
}
