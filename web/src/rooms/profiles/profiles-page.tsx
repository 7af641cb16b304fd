import { useTexts } from '../../i18n/texts';
import { Page } from '../../ui/page';
import { profilesTexts } from './profiles.texts';

export function ProfilesPage() {
  const say = useTexts(profilesTexts);
  return <Page title={say('title')}>{null}</Page>;
}
