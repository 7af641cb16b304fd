import { ActionIcon, Button, Group, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash, IconUserMinus, IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { ROLE, useMe } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { DataList, type Column } from '../../ui/data-list';
import { Dialog } from '../../ui/dialogs';
import { When } from '../../ui/format';
import { InviteLink, inviteAddress } from '../../ui/invite-link';
import { Empty } from '../../ui/problems';
import { Section } from '../../ui/section';
import { FactorSection } from './factor-section';
import { useAddress, useChange, usePath, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';

interface Member {
  readonly email: string;
  readonly name: string;
  readonly role: Schemas['UserRole'];
}

const ROLES = [ROLE.viewer, ROLE.crawler, ROLE.owner] as const;

/** Roles with a sentence on what each may do. */
function useRoles(): { value: string; label: string }[] {
  const say = useTexts(settingsTexts);
  return ROLES.map((role) => ({ value: String(role), label: say(`role_${role}`) }));
}

const membersOf = (record: OrgRecord): readonly Member[] =>
  (Object.values(record.users ?? {}) as Member[]).sort((a, b) => a.email.localeCompare(b.email));

export function MembersTab({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const [isInviting, { open, close }] = useDisclosure(false);
  return (
    <>
      <Section
        title={say('members')}
        lead={say('membersLead')}
        actions={
          <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={open}>
            {say('invite')}
          </Button>
        }
      >
        <Members members={membersOf(record)} />
      </Section>
      <Section title={say('invites')}>
        <Invites />
      </Section>
      <FactorSection />
      {isInviting && <InviteModal onClose={close} />}
    </>
  );
}

/** How many members a page of the list has. */
const PAGE_SIZE = 50;

function Members({ members }: { readonly members: readonly Member[] }) {
  const say = useTexts(settingsTexts);
  const me = useMe();
  const roles = useRoles();
  const params = usePath();
  const save = useChange();
  const ask = useConfirm();
  const { search, change } = useAddress();
  const page = search.page ?? 1;
  const remove = async ({ email, name }: Member): Promise<void> => {
    const text = say('removeText', { name: name || email });
    if (!(await ask({ title: say('remove'), text, action: say('remove'), isDestructive: true }))) return;
    await save(() => client.POST('/api/orgs/{oid}/remove', { params, body: { email } }), say('removed'));
  };
  const setRole = (email: string, role: string | null): Promise<boolean> =>
    save(() =>
      client.PATCH('/api/orgs/{oid}/user-role', {
        params,
        body: { email, role: Number(role) as Schemas['UserRole'] },
      }),
    );
  const columns: readonly Column<Member>[] = [
    {
      id: 'name',
      title: say('person'),
      width: '55%',
      cell: ({ name, email }) => (
        <>
          <Text size="sm" fw={500} truncate dir="auto">
            {name || email}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {email}
          </Text>
        </>
      ),
      csv: ({ name }) => name,
    },
    {
      id: 'role',
      title: say('role'),
      cell: ({ email, name, role }) => (
        <Select
          size="xs"
          miw={104}
          maw={200}
          aria-label={say('roleOf', { name: name || email })}
          data={roles}
          value={String(role)}
          allowDeselect={false}
          disabled={email === me?.email}
          onChange={(value) => void setRole(email, value)}
        />
      ),
      csv: ({ role }) => role,
    },
    { id: 'email', title: say('email'), isOnlyExported: true, cell: () => null, csv: ({ email }) => email },
    {
      id: 'remove',
      title: say('actions'),
      align: 'end',
      cell: (member) => (
        <Tooltip label={say('remove')}>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={say('removeOne', { name: member.name || member.email })}
            onClick={() => void remove(member)}
          >
            <IconUserMinus size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  const shown = members.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <DataList<Member>
      label={say('members')}
      columns={columns}
      query={{ data: { items: shown, total: members.length }, error: null, isPending: false, refetch: () => undefined }}
      idOf={({ email }) => email}
      nameOf={({ name }) => name}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={{ sortBy: 'email', dir: 1 }}
      readAll={() => Promise.resolve(members)}
      empty={<Empty title={say('noMembers')}>{say('noMembersText')}</Empty>}
    />
  );
}

function Invites() {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const save = useChange();
  const ask = useConfirm();
  const query = api.useQuery('get', '/api/orgs/{oid}/invites', { params: { ...params, query: { pageSize: 1000 } } });
  const remove = async (email: string): Promise<void> => {
    const question = { title: say('deleteInvite'), text: say('deleteInviteText', { email }), isDestructive: true };
    if (!(await ask({ ...question, action: say('deleteInvite') }))) return;
    await save(() => client.POST('/api/orgs/{oid}/invites/delete', { params, body: { email } }), say('inviteDeleted'));
  };
  const columns: readonly Column<Schemas['InviteOut']>[] = [
    {
      id: 'email',
      title: say('email'),
      width: '45%',
      cell: ({ email, mailError }) => (
        <>
          {email}
          {mailError && (
            <Text size="xs" c="red">
              {say('mailFailed', { reason: mailError })}
            </Text>
          )}
        </>
      ),
      csv: ({ email }) => email,
    },
    {
      id: 'role',
      title: say('role'),
      cell: ({ role }) => (role ? say(`role_${role}`) : '–'),
      csv: ({ role }) => role,
    },
    {
      id: 'by',
      title: say('invitedBy'),
      from: 'md',
      cell: ({ inviterName, inviterEmail }) => inviterName ?? inviterEmail ?? '–',
      csv: ({ inviterEmail }) => inviterEmail,
    },
    {
      id: 'created',
      title: say('sent'),
      from: 'sm',
      cell: ({ created }) => <When at={created} />,
      csv: ({ created }) => created,
    },
    {
      id: 'delete',
      title: say('actions'),
      align: 'end',
      cell: ({ email }) => (
        <Tooltip label={say('deleteInvite')}>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={say('deleteInviteOf', { email: email ?? '' })}
            onClick={() => void remove(email ?? '')}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  return (
    <DataList<Schemas['InviteOut']>
      label={say('invites')}
      columns={columns}
      query={query}
      idOf={({ email, created }) => email ?? created}
      nameOf={({ email }) => email ?? ''}
      pageSize={1000}
      search={{}}
      onSearch={() => undefined}
      order={{ sortBy: 'created', dir: -1 }}
      empty={
        <Text size="sm" c="dimmed">
          {say('noInvites')}
        </Text>
      }
    />
  );
}

function InviteModal({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(settingsTexts);
  const roles = useRoles();
  const params = usePath();
  const save = useChange();
  const [link, setLink] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '', role: String(ROLE.crawler) } });
  const role = Number(form.values.role) as (typeof ROLES)[number];
  const submit = form.onSubmit(async ({ email }) => {
    await save(
      async () => {
        const { data } = await client.POST('/api/orgs/{oid}/invite', { params, body: { email, role } });
        setLink(inviteAddress(data ?? {}, email));
      },
      say('inviteSent', { email }),
    );
  });
  return (
    <Dialog onClose={onClose} title={say('invite')}>
      {link ? (
        <InviteLink text={say('inviteLink', { email: form.values.email })} link={link} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack>
            <TextInput type="email" label={say('email')} required data-autofocus {...form.getInputProps('email')} />
            <Select
              label={say('role')}
              description={say(`roleMay_${role}`)}
              data={roles}
              allowDeselect={false}
              {...form.getInputProps('role')}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {say('cancel')}
              </Button>
              <Button type="submit">{say('sendInvite')}</Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
