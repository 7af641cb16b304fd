import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { itemsTexts } from './items.texts';
import type { ItemsSearch } from './searches';

interface View {
  readonly name: string;
  readonly search: ItemsSearch;
}

interface SavedViewsProps {
  readonly oid: string;
  readonly search: ItemsSearch;
  readonly onOpen: (search: ItemsSearch) => void;
}

/** Filters and order under a name, kept in this browser for each org. */
export function SavedViews({ oid, search, onOpen }: SavedViewsProps) {
  const say = useTexts(itemsTexts);
  const [views, setViews] = useLocalStorage<readonly View[]>({ key: `muniment.views.items.${oid}`, defaultValue: [] });
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    const called = name.trim();
    if (!called) return;
    const { page: _page, ...kept } = search;
    setViews((now) => [...now.filter((view) => view.name !== called), { name: called, search: kept }]);
    setName('');
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} width={300} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setOpen((open) => !open)}
        >
          {say('views')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('views')}>
        <Stack gap="xs">
          {views.length === 0 && (
            <Text size="sm" c="dimmed">
              {say('noViews')}
            </Text>
          )}
          {views.map((view) => (
            <Group key={view.name} justify="space-between" wrap="nowrap">
              <UnstyledButton
                style={{ minWidth: 0, flex: 1 }}
                onClick={() => {
                  onOpen(view.search);
                  setOpen(false);
                }}
              >
                <Text size="sm" truncate dir="auto">
                  {view.name}
                </Text>
              </UnstyledButton>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={say('deleteView', { name: view.name })}
                onClick={() => setViews((now) => now.filter((one) => one.name !== view.name))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          ))}
          <form onSubmit={save}>
            <Stack gap="xs">
              <TextInput
                label={say('viewName')}
                value={name}
                maxLength={80}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" size="xs" variant="default" disabled={!name.trim()}>
                {say('saveView')}
              </Button>
            </Stack>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
