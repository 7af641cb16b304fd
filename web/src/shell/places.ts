import {
  IconArchive,
  IconBrowser,
  IconFolders,
  IconHome,
  IconRoute,
  IconSettings,
  IconUpload,
  type Icon,
} from '@tabler/icons-react';
import type { CurrentOrg } from '../session/me';

export interface Place {
  readonly id: 'dashboard' | 'workflows' | 'items' | 'uploads' | 'collections' | 'profiles' | 'settings';
  readonly path: string;
  readonly icon: Icon;
  readonly isOffered: (org: CurrentOrg) => boolean;
}
const always = (): boolean => true;

/** The rooms of an org, in the order of the menu. */
export const PLACES: readonly Place[] = [
  { id: 'dashboard', path: '', icon: IconHome, isOffered: always },
  { id: 'workflows', path: '/workflows', icon: IconRoute, isOffered: always },
  { id: 'items', path: '/items', icon: IconArchive, isOffered: always },
  { id: 'collections', path: '/collections', icon: IconFolders, isOffered: always },
  { id: 'uploads', path: '/uploads', icon: IconUpload, isOffered: (org) => org.canCrawl },
  { id: 'profiles', path: '/profiles', icon: IconBrowser, isOffered: (org) => org.canCrawl },
  { id: 'settings', path: '/settings', icon: IconSettings, isOffered: (org) => org.isOwner },
];
