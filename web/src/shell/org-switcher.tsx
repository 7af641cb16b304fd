import { Combobox, Group, InputBase, Text, UnstyledButton, useCombobox } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTexts } from '../i18n/texts';
import { useMe, type CurrentOrg } from '../session/me';
import { shellTexts } from './shell.texts';

/** More orgs than these are found by typing. */
const SHOWN = 50;

/** Names the current org; a click leads to another one of the person's. */
export function OrgSwitcher({ current }: { readonly current: CurrentOrg }) {
  const say = useTexts(shellTexts);
  const me = useMe();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => setSearch('') });
  const orgs = (me?.orgs ?? []).filter((org) => org.name.toLowerCase().includes(search.toLowerCase())).slice(0, SHOWN);
  if ((me?.orgs.length ?? 0) < 2)
    return (
      <Text size="sm" fw={500} truncate maw={240} dir="auto">
        {current.name}
      </Text>
    );
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      onOptionSubmit={(slug) => {
        combobox.closeDropdown();
        void navigate({ to: '/o/$slug', params: { slug } });
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton
          miw={0}
          onClick={() => combobox.toggleDropdown()}
          aria-label={`${say('switchOrg')}: ${current.name}`}
        >
          <Group component="span" gap={2} wrap="nowrap">
            <Text size="sm" fw={500} component="span" truncate maw={200} dir="auto">
              {current.name}
            </Text>
            <IconSelector size={16} style={{ flexShrink: 0 }} aria-hidden />
          </Group>
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <InputBase
          aria-label={say('switchOrg')}
          placeholder={say('switchOrg')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          size="xs"
        />
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }}>
          {orgs.map((org) => (
            <Combobox.Option key={org.id} value={org.slug} active={org.id === current.oid}>
              {org.name}
            </Combobox.Option>
          ))}
          {orgs.length === 0 && <Combobox.Empty>{say('nothingFound')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
