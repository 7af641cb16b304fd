import { Accordion, Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { api, client, type Schemas } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useConfirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialogs';
import { KeyList } from '../../../ui/keys/key-list';
import { ORG_SCOPES } from '../../../ui/keys/keys';
import { Empty, Loading, Problem } from '../../../ui/problems';
import { Section } from '../../../ui/section';
import { useAct } from '../../../ui/use-act';
import { usePath } from '../queries';
import { serviceAccountsTexts } from './service-accounts.texts';

type Account = Schemas['ServiceAccountOut'];
const ROLES = [10, 20, 40] as const;
type Role = (typeof ROLES)[number];

/** Programs of the org with their keys. */
export function ServiceAccounts() {
  const say = useTexts(serviceAccountsTexts);
  const params = usePath();
  const [isMaking, { open, close }] = useDisclosure(false);
  const { data, error, refetch } = api.useQuery('get', '/api/orgs/{oid}/service-accounts', { params });
  return (
    <Section
      title={say('title')}
      lead={say('lead')}
      actions={
        <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
          {say('create')}
        </Button>
      }
    >
      {error ? <Problem error={error} retry={() => void refetch()} /> : !data && <Loading />}
      {data?.items.length === 0 && <Empty title={say('empty')}>{say('emptyText')}</Empty>}
      {data && data.items.length > 0 && (
        <Accordion variant="separated" chevronPosition="left">
          {data.items.map((account) => (
            <OneAccount key={account.id} account={account} />
          ))}
        </Accordion>
      )}
      {isMaking && <NewAccount onClose={close} />}
    </Section>
  );
}

function useRoles(): { value: string; label: string }[] {
  const say = useTexts(serviceAccountsTexts);
  return ROLES.map((role) => ({ value: String(role), label: say(`role_${role}`) }));
}

function OneAccount({ account }: { readonly account: Account }) {
  const say = useTexts(serviceAccountsTexts);
  const { id, name, role, disabled, keys, createdByName } = account;
  return (
    <Accordion.Item value={id}>
      <Accordion.Control icon={<IconRobot size={18} aria-hidden />}>
        <Group gap="xs">
          <Text size="sm" fw={500} dir="auto" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {say(`role_${role}`)} · {say('keyCount', { count: keys.length })}
          </Text>
          {disabled && (
            <Badge variant="light" color="red" tt="none" fw={500}>
              {say('disabled')}
            </Badge>
          )}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          <Actions account={account} />
          <Text size="xs" c="dimmed" dir="auto">
            {say('madeBy', { who: createdByName })}
          </Text>
          <Keys account={account} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function Actions({ account: { id, name, role, disabled } }: { readonly account: Account }) {
  const say = useTexts(serviceAccountsTexts);
  const roles = useRoles();
  const ask = useConfirm();
  const act = useAct();
  const { path } = usePath();
  const params = { path: { ...path, accountId: id } };
  const change = (body: Partial<Schemas['ServiceAccountUpdate']>): Promise<boolean> =>
    act(
      () => client.PATCH('/api/orgs/{oid}/service-accounts/{accountId}', { params, body: body as never }),
      say('changed'),
    );
  const remove = async (): Promise<void> => {
    const question = { title: say('deleteOne', { name }), text: say('deleteText'), action: say('delete') };
    if (!(await ask({ ...question, isDestructive: true }))) return;
    await act(() => client.DELETE('/api/orgs/{oid}/service-accounts/{accountId}', { params }), say('deleted'));
  };
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label={say('role')}
        data={roles}
        value={String(role)}
        allowDeselect={false}
        maw={200}
        onChange={(value) => void change({ role: Number(value) as Role })}
      />
      <Button variant="default" onClick={() => void change({ disabled: !disabled })}>
        {say(disabled ? 'enable' : 'disable')}
      </Button>
      <Button variant="default" c="red" aria-label={say('deleteOne', { name })} onClick={() => void remove()}>
        {say('delete')}
      </Button>
    </Group>
  );
}

function Keys({ account: { id, name, keys } }: { readonly account: Account }) {
  const { path } = usePath();
  const params = { path: { ...path, accountId: id } };
  const query = { data: { items: keys }, error: null, isPending: false, refetch: () => undefined };
  return (
    <KeyList
      ring={{
        kind: 'service',
        of: name,
        oid: path.oid,
        query,
        scopes: ORG_SCOPES,
        make: async (body) =>
          (await client.POST('/api/orgs/{oid}/service-accounts/{accountId}/api-keys', { params, body })).data,
        revoke: (keyId) =>
          client.DELETE('/api/orgs/{oid}/service-accounts/{accountId}/api-keys/{keyId}', {
            params: { path: { ...params.path, keyId } },
          }),
      }}
    />
  );
}

function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(serviceAccountsTexts);
  const roles = useRoles();
  const act = useAct();
  const params = usePath();
  const [role, setRole] = useState<string | null>('20');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    const body = { name, role: Number(role) as Role };
    if (await act(() => client.POST('/api/orgs/{oid}/service-accounts', { params, body }), say('created'))) onClose();
  };
  return (
    <Dialog title={say('create')} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput
            name="name"
            label={say('name')}
            placeholder={say('namePlaceholder')}
            maxLength={100}
            required
            data-autofocus
          />
          <Select label={say('role')} data={roles} value={role} allowDeselect={false} onChange={setRole} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button type="submit">{say('make')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
