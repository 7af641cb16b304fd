import { Badge } from '@mantine/core';
import { IconEyeOff, IconLink, IconWorld, type Icon } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts';
import { collectionsTexts } from './collections.texts';
import type { Access } from './collection-search';

const LOOK: Readonly<Record<Access, { readonly icon: Icon; readonly color: string }>> = {
  private: { icon: IconEyeOff, color: 'gray' },
  unlisted: { icon: IconLink, color: 'blue' },
  public: { icon: IconWorld, color: 'green' },
};

export function AccessBadge({ access = 'private' }: { readonly access?: Access }) {
  const say = useTexts(collectionsTexts);
  const { icon: AccessIcon, color } = LOOK[access];
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      fw={500}
      style={{ flexShrink: 0 }}
      leftSection={<AccessIcon size={12} aria-hidden />}
    >
      {say(`access_${access}`)}
    </Badge>
  );
}
