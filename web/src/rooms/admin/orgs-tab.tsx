import { ActionIcon, Anchor, Badge, Button, Group, Menu, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconDots, IconPlus, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { DataList, type Column } from '../../ui/data-list';
import { useBytes, When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { adminTexts } from './admin.texts';
import { NewOrgModal } from './new-org';
import { useAct } from '../../ui/use-act';
import { useAddress } from './queries';

type Org = Schemas['OrgOut'];

const PAGE_SIZE = 50;

export function OrgsTab() {
  const say = useTexts(adminTexts);
  const bytes = useBytes();
  const { search, change } = useAddress();
  const { page = 1, sortBy = 'name', dir = 1, q } = search;
  const [isCreating, { open, close }] = useDisclosure(false);
  // The API searches no orgs: all of them are read where somebody looks for one.
  const paging = q ? {} : { page, pageSize: PAGE_SIZE };
  const query = api.useQuery('get', '/api/orgs', { params: { query: { ...paging, sortBy, sortDirection: dir } } });
  const found = (query.data?.items ?? []).filter(({ name, slug }) =>
    `${name} ${slug}`.toLowerCase().includes((q ?? '').toLowerCase()),
  );
  const data = query.data && {
    items: q ? found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) : query.data.items,
    total: q ? found.length : query.data.total,
  };
  const columns: readonly Column<Org>[] = [
    {
      id: 'name',
      title: say('name'),
      sortBy: 'name',
      width: '35%',
      cell: (org) => (
        <>
          <Anchor component={Link} to={`/o/${org.slug}`} size="sm" fw={500} dir="auto">
            {org.name}
          </Anchor>
          <Text size="xs" c="dimmed" truncate>
            {org.slug}
          </Text>
        </>
      ),
      csv: (org) => org.name,
    },
    {
      id: 'state',
      title: say('state'),
      sortBy: 'readOnly',
      cell: (org) => <OrgState org={org} />,
      csv: (org) => (org.readOnly ? 'read-only' : ''),
    },
    {
      id: 'stored',
      title: say('stored'),
      align: 'end',
      from: 'sm',
      cell: (org) => bytes(org.bytesStored),
      csv: (org) => org.bytesStored,
    },
    {
      id: 'quota',
      title: say('quota'),
      align: 'end',
      from: 'md',
      cell: (org) => (org.quotas?.storageQuota ? bytes(org.quotas.storageQuota) : say('noLimit')),
      csv: (org) => org.quotas?.storageQuota,
    },
    {
      id: 'lastCrawl',
      title: say('lastCrawl'),
      sortBy: 'lastCrawlFinished',
      from: 'md',
      cell: (org) => <When at={org.lastCrawlFinished} />,
      csv: (org) => org.lastCrawlFinished,
    },
    { id: 'menu', title: say('actions'), align: 'end', cell: (org) => <OrgMenu org={org} /> },
  ];
  return (
    <>
      <DataList<Org>
        label={say('tab_orgs')}
        columns={columns}
        query={{ ...query, data }}
        idOf={(org) => org.id}
        nameOf={(org) => org.name}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={{ sortBy: 'name', dir: 1 }}
        isFiltered={q !== undefined}
        onClearFilters={() => change({ q: undefined, page: undefined })}
        filters={
          <Group justify="space-between">
            <SearchField />
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
              {say('newOrg')}
            </Button>
          </Group>
        }
        empty={<Empty title={say('noOrgs')} />}
      />
      {isCreating && <NewOrgModal onClose={close} />}
    </>
  );
}

export function SearchField() {
  const say = useTexts(adminTexts);
  const { search, change } = useAddress();
  const [text, setText] = useState(search.q ?? '');
  const apply = useDebouncedCallback((q: string) => change({ q: q.trim() || undefined, page: undefined }), 250);
  return (
    <TextInput
      aria-label={say('search')}
      placeholder={say('search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}

function OrgState({ org }: { readonly org: Org }) {
  const say = useTexts(adminTexts);
  const states = [
    org.readOnly && ['readOnly', 'yellow'],
    org.storageQuotaReached && ['storageFull', 'red'],
    org.execMinutesQuotaReached && ['minutesUsed', 'red'],
    org.default && ['defaultOrg', 'gray'],
  ].filter((state) => Array.isArray(state)) as ['readOnly' | 'storageFull' | 'minutesUsed' | 'defaultOrg', string][];
  return (
    <Group gap={4}>
      {states.map(([state, color]) => (
        <Badge key={state} variant="light" color={color} tt="none" fw={500}>
          {say(state)}
        </Badge>
      ))}
      {states.length === 0 && '–'}
    </Group>
  );
}

function OrgMenu({ org }: { readonly org: Org }) {
  const say = useTexts(adminTexts);
  const act = useAct();
  const ask = useConfirm();
  const to = `/o/${org.slug}/settings`;
  const setReadOnly = async (): Promise<void> => {
    const readOnly = !org.readOnly;
    const title = say(readOnly ? 'makeReadOnly' : 'makeWritable');
    const text = say(readOnly ? 'makeReadOnlyText' : 'makeWritableText', { name: org.name });
    if (!(await ask({ title, text, action: title }))) return;
    const params = { path: { oid: org.id } };
    await act(() => client.POST('/api/orgs/{oid}/read-only', { params, body: { readOnly } }), say('saved'));
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={say('actionsOf', { name: org.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={to}>
          {say('settings')}
        </Menu.Item>
        <Menu.Item component={Link} to={`${to}?tab=members`}>
          {say('members')}
        </Menu.Item>
        <Menu.Item component={Link} to={`${to}?tab=usage`}>
          {say('quotas')}
        </Menu.Item>
        <Menu.Item onClick={() => void setReadOnly()}>{say(org.readOnly ? 'makeWritable' : 'makeReadOnly')}</Menu.Item>
        <Menu.Divider />
        <Menu.Item component={Link} to={`${to}?tab=administration`}>
          {say('exportOrDelete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
