import { ActionIcon, Alert, Button, Code, CopyButton, Group, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyOff, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../confirm';
import { DataList, type Column } from '../data-list';
import { When } from '../format';
import { Empty } from '../problems';
import { useAct } from '../use-act';
import type { ApiKey, KeyRing } from './keys';
import { keysTexts } from './keys.texts';
import { NewKey } from './new-key';

/** The most keys that an org may have: all of them stand on one page. */
const MOST = 100;

const LEADS = { org: 'leadOrg', own: 'leadOwn', service: 'leadService' } as const;

/** Keys with what each may do and when it was used; new ones are shown once, here, where no click beside them loses them. */
export function KeyList({ ring }: { readonly ring: KeyRing }) {
  const say = useTexts(keysTexts);
  const [isMaking, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<Schemas['ApiKeyCreated'] | null>(null);
  const columns = useColumns(ring);
  const { data, ...query } = ring.query;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text c="dimmed" size="sm" flex="1 1 300px">
          {say(LEADS[ring.kind])}
        </Text>
        <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
          {say('create')}
        </Button>
      </Group>
      {made && <MadeKey made={made} onClose={() => setMade(null)} />}
      <DataList<ApiKey>
        label={ring.of ? say('titleOf', { name: ring.of }) : say('title')}
        columns={columns}
        query={{ ...query, data: data && { items: data.items, total: data.items.length } }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        pageSize={MOST}
        search={{}}
        onSearch={() => undefined}
        order={{ sortBy: 'created', dir: -1 }}
        empty={<Empty title={say('empty')}>{say('emptyText')}</Empty>}
      />
      {isMaking && (
        <NewKey
          ring={ring}
          onMade={(key) => {
            setMade(key);
            close();
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}

function MadeKey({ made, onClose }: { readonly made: Schemas['ApiKeyCreated']; readonly onClose: () => void }) {
  const say = useTexts(keysTexts);
  return (
    <Alert color="green" variant="light" role="alert" title={say('made', { name: made.name })}>
      <Stack gap="xs">
        <Text size="sm">{say('madeText')}</Text>
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} aria-label={say('key')}>
          {made.key}
        </Code>
        <Group gap="xs">
          <CopyButton value={made.key}>
            {({ copied, copy }) => <Button onClick={copy}>{say(copied ? 'copied' : 'copy')}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onClose}>
            {say('ready')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function useColumns(ring: KeyRing): readonly Column<ApiKey>[] {
  const say = useTexts(keysTexts);
  const ask = useConfirm();
  const act = useAct();
  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    const text = say('revokeText', { name });
    const question = { title: say('revokeOne', { name }), text, action: say('revoke'), isDestructive: true };
    if (await ask(question)) await act(() => ring.revoke(id), say('revoked'));
  };
  const columns: readonly Column<ApiKey>[] = [
    {
      id: 'name',
      title: say('key'),
      width: '26%',
      cell: ({ name, prefix }) => (
        <>
          <Text size="sm" fw={500} truncate dir="auto">
            {name}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" truncate>
            {prefix}…
          </Text>
        </>
      ),
      csv: ({ name }) => name,
    },
    { id: 'prefix', title: say('prefix'), isOnlyExported: true, cell: () => null, csv: ({ prefix }) => prefix },
    {
      id: 'scopes',
      title: say('may'),
      from: 'sm',
      width: '34%',
      cell: ({ scopes, addresses, onlyWorkflows, onlyCollections }) => (
        <>
          <Text size="xs" style={{ whiteSpace: 'normal' }}>
            {scopes.map((scope) => say(`scope_${scope}`)).join(' · ')}
          </Text>
          {onlyWorkflows.length + onlyCollections.length > 0 && (
            <Text size="xs" fw={500}>
              {say('limitedTo', { workflows: onlyWorkflows.length, collections: onlyCollections.length })}
            </Text>
          )}
          {addresses.length > 0 && (
            <Text size="xs" c="dimmed">
              {say('onlyFrom', { addresses: addresses.join(', ') })}
            </Text>
          )}
        </>
      ),
      csv: ({ scopes }) => scopes.join(' '),
    },
    {
      id: 'addresses',
      title: say('addresses'),
      isOnlyExported: true,
      cell: () => null,
      csv: ({ addresses }) => addresses.join(' '),
    },
    {
      id: 'creator',
      title: say('creator'),
      from: 'lg',
      cell: ({ userName }) => (
        <Text size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {userName}
        </Text>
      ),
      csv: ({ userName }) => userName,
    },
    { id: 'created', title: say('created'), isOnlyExported: true, cell: () => null, csv: ({ created }) => created },
    {
      id: 'expires',
      title: say('expires'),
      from: 'sm',
      align: 'start',
      cell: ({ expiresAt }) => <Expires at={expiresAt} />,
      csv: ({ expiresAt }) => expiresAt,
    },
    {
      id: 'lastUsed',
      title: say('lastUsed'),
      align: 'start',
      cell: ({ lastUsed }) => <When at={lastUsed} />,
      csv: ({ lastUsed }) => lastUsed,
    },
    {
      id: 'revoke',
      title: say('actions'),
      align: 'end',
      cell: (key) => (
        <Tooltip label={say('revoke')}>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={say('revokeOne', { name: key.name })}
            onClick={() => void revoke(key)}
          >
            <IconKeyOff size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  return ring.kind === 'org' ? columns : columns.filter(({ id }) => id !== 'creator');
}

function Expires({ at }: { readonly at: string | null }) {
  const say = useTexts(keysTexts);
  if (!at || new Date(at).getTime() > Date.now()) return <When at={at} />;
  return (
    <Text span inherit c="red">
      {say('expired')} <When at={at} />
    </Text>
  );
}
