import { ActionIcon, Badge, Button, Group, Paper, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api, send, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { Dialog } from '../../ui/dialogs';
import { Loading, Problem } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useChange, usePath } from './queries';
import { settingsTexts } from './settings.texts';

type Ref = Schemas['StorageRef'];

const keyOf = ({ name, custom }: Ref): string => `${custom ? 'custom' : 'default'}/${name}`;
const refOf = (key: string): Ref => {
  const [kind = '', ...name] = key.split('/');
  return { name: name.join('/'), custom: kind === 'custom' };
};
const post = (path: string, body: unknown): Promise<unknown> =>
  send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** Orgs may have storages of their own where the API's document has the route for adding one (archive §2.5). */
function useMayAdd(): boolean {
  const { data } = useQuery({
    queryKey: ['offers-custom-storages'],
    queryFn: async () => {
      const { paths } = (await send('/api/openapi.json')) as { paths: Record<string, unknown> };
      return '/api/orgs/{oid}/customStorage' in paths;
    },
    staleTime: Infinity,
  });
  return data ?? false;
}

export function StorageTab() {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const used = api.useQuery('get', '/api/orgs/{oid}/storage', { params });
  const all = api.useQuery('get', '/api/orgs/{oid}/allStorages', { params });
  const mayAdd = useMayAdd();
  const [isAdding, { open, close }] = useDisclosure(false);
  if (used.error) return <Problem error={used.error} retry={() => void used.refetch()} />;
  if (!used.data || !all.data) return <Loading />;
  const { storage, storageReplicas = [] } = used.data;
  return (
    <Section
      title={say('storages')}
      lead={say(mayAdd ? 'storagesLead' : 'storagesFixed')}
      isNarrow
      actions={
        mayAdd && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
            {say('addStorage')}
          </Button>
        )
      }
    >
      <Stack gap="xs">
        {all.data.map((one) => (
          <StorageCard
            key={keyOf(one)}
            storage={one}
            isPrimary={keyOf(one) === keyOf(storage)}
            isReplica={storageReplicas.some((replica) => keyOf(replica) === keyOf(one))}
          />
        ))}
      </Stack>
      {mayAdd && <PrimaryForm current={used.data} all={all.data} />}
      {isAdding && <AddModal onClose={close} />}
    </Section>
  );
}

interface StorageCardProps {
  readonly storage: Ref;
  readonly isPrimary: boolean;
  readonly isReplica: boolean;
}

function StorageCard({ storage, isPrimary, isReplica }: StorageCardProps) {
  const say = useTexts(settingsTexts);
  const { oid } = useOrg();
  const save = useChange();
  const ask = useConfirm();
  const remove = async (): Promise<void> => {
    const text = say('removeStorageText', { name: storage.name });
    const question = { title: say('removeStorage'), text, action: say('removeStorage'), isDestructive: true };
    if (await ask(question))
      await save(() =>
        send(`/api/orgs/${oid}/customStorage/${encodeURIComponent(storage.name)}`, { method: 'DELETE' }),
      );
  };
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={500}>{storage.name}</Text>
          {isPrimary && (
            <Badge variant="light" tt="none">
              {say('newFiles')}
            </Badge>
          )}
          {isReplica && (
            <Badge variant="light" color="teal" tt="none">
              {say('copies')}
            </Badge>
          )}
          {storage.custom && (
            <Badge variant="default" tt="none">
              {say('own')}
            </Badge>
          )}
        </Group>
        {storage.custom && !isPrimary && !isReplica && (
          <Tooltip label={say('removeStorage')}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={`${say('removeStorage')}: ${storage.name}`}
              onClick={() => void remove()}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Paper>
  );
}

interface PrimaryFormProps {
  readonly current: Schemas['OrgStorageRefs'];
  readonly all: readonly Ref[];
}

/** Where new files are stored, and where their copies are. */
function PrimaryForm({ current, all }: PrimaryFormProps) {
  const say = useTexts(settingsTexts);
  const { oid } = useOrg();
  const save = useChange();
  const form = useForm({
    initialValues: {
      storage: keyOf(current.storage),
      replica: current.storageReplicas?.[0] ? keyOf(current.storageReplicas[0]) : '',
    },
  });
  const data = all.map((one) => ({ value: keyOf(one), label: one.name }));
  const submit = form.onSubmit(async ({ storage, replica }) => {
    const body = { storage: refOf(storage), storageReplicas: replica ? [refOf(replica)] : [] };
    if (await save(() => post(`/api/orgs/${oid}/storage`, body))) form.resetDirty();
  });
  return (
    <form onSubmit={submit}>
      <Select label={say('storeIn')} data={data} allowDeselect={false} {...form.getInputProps('storage')} />
      <Select
        mt="sm"
        label={say('copyTo')}
        placeholder={say('noCopies')}
        data={data.filter(({ value }) => value !== form.values.storage)}
        clearable
        {...form.getInputProps('replica')}
        value={form.values.replica || null}
        onChange={(value) => form.setFieldValue('replica', value ?? '')}
      />
      <Group mt="md">
        <Button type="submit" disabled={!form.isDirty()}>
          {say('saveStorages')}
        </Button>
      </Group>
    </form>
  );
}

const FIELDS = ['name', 'endpoint_url', 'bucket', 'access_key', 'secret_key', 'region'] as const;

function AddModal({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(settingsTexts);
  const { oid } = useOrg();
  const save = useChange();
  const form = useForm({
    initialValues: {
      ...(Object.fromEntries(FIELDS.map((name) => [name, ''])) as Record<(typeof FIELDS)[number], string>),
      access_addressing_style: 'virtual',
    },
  });
  const submit = form.onSubmit(async (values) => {
    const body = { type: 's3', ...values };
    if (await save(() => post(`/api/orgs/${oid}/customStorage`, body), say('storageAdded'))) onClose();
  });
  return (
    <Dialog onClose={onClose} title={say('addStorage')}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{say('addStorageLead')}</Text>
          {FIELDS.map((name) => (
            <TextInput
              key={name}
              label={say(`s3_${name}`)}
              required={name !== 'region'}
              type={name === 'secret_key' ? 'password' : 'text'}
              autoComplete="off"
              {...form.getInputProps(name)}
            />
          ))}
          <Select
            label={say('s3_style')}
            data={[
              { value: 'virtual', label: say('s3_virtual') },
              { value: 'path', label: say('s3_path') },
            ]}
            allowDeselect={false}
            {...form.getInputProps('access_addressing_style')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('cancel')}
            </Button>
            <Button type="submit">{say('addStorage')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
