import { ActionIcon, Anchor, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { IconLogout, IconShieldOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useAct } from '../../ui/use-act';
import { adminTexts } from './admin.texts';
import { useAddress, useOrgNames } from './queries';

type Account = Schemas['UserOutNoId'];
type Invite = Schemas['InviteOut'];

const PAGE_SIZE = 50;
/** How many open invites are listed. */
const INVITES = 1000;

export function UsersTab() {
  const say = useTexts(adminTexts);
  return (
    <>
      <Section title={say('accounts')} actions={<EndAll />}>
        <Accounts />
      </Section>
      <Section title={say('invites')}>
        <Invites />
      </Section>
    </>
  );
}

/** Ends the sessions of everybody but the superuser who asks. */
function EndAll() {
  const say = useTexts(adminTexts);
  const ask = useConfirm();
  const act = useAct();
  const end = async (): Promise<void> => {
    const title = say('endSessionsAll');
    if (!(await ask({ title, text: say('endSessionsAllText'), action: title, isDestructive: true }))) return;
    const body = { email: null, everybody: true };
    await act(() => client.POST('/api/users/end-sessions', { body }), say('sessionsEnded'));
  };
  return (
    <Button variant="default" leftSection={<IconLogout size={18} aria-hidden />} onClick={() => void end()}>
      {say('endSessionsAll')}
    </Button>
  );
}

/** What is done for one account: its sessions ended, a lost second factor removed. */
function Rescue({ email }: { readonly email: string }) {
  const say = useTexts(adminTexts);
  const ask = useConfirm();
  const act = useAct();
  const endSessions = async (): Promise<void> => {
    const title = say('endSessions', { email });
    if (!(await ask({ title, text: say('endSessionsText'), action: say('endSessionsDo'), isDestructive: true })))
      return;
    const body = { email, everybody: false };
    await act(() => client.POST('/api/users/end-sessions', { body }), say('sessionsEnded'));
  };
  const removeFactor = async (): Promise<void> => {
    const question = { title: say('removeFactor', { email }), text: say('removeFactorText') };
    if (!(await ask({ ...question, action: say('removeFactorDo'), isDestructive: true }))) return;
    await act(() => client.POST('/api/users/remove-second-factor', { body: { email } }), say('factorRemoved'));
  };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {[
        { word: say('endSessions', { email }), icon: IconLogout, act: endSessions },
        { word: say('removeFactor', { email }), icon: IconShieldOff, act: removeFactor },
      ].map(({ word, icon: Icon, act: run }) => (
        <Tooltip key={word} label={word}>
          <ActionIcon variant="subtle" color="red" aria-label={word} onClick={() => void run()}>
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </Group>
  );
}

function Accounts() {
  const say = useTexts(adminTexts);
  const { search, change } = useAddress();
  const { page = 1 } = search;
  const query = api.useQuery('get', '/api/users/emails', { params: { query: { page, pageSize: PAGE_SIZE } } });
  const columns: readonly Column<Account>[] = [
    {
      id: 'email',
      title: say('email'),
      width: '45%',
      cell: ({ email, name }) => (
        <>
          <Text size="sm" fw={500} truncate>
            {email}
          </Text>
          <Text size="xs" c="dimmed" truncate dir="auto">
            {name}
          </Text>
        </>
      ),
      csv: ({ email }) => email,
    },
    {
      id: 'orgs',
      title: say('tab_orgs'),
      cell: ({ orgs }) => (
        <Group gap={8}>
          {orgs.slice(0, 5).map(({ id, name, slug, role }) => (
            <span key={id}>
              <Anchor component={Link} to={`/o/${slug}/settings?tab=members`} size="sm" dir="auto">
                {name}
              </Anchor>{' '}
              <Text span size="xs" c="dimmed">
                {say(`role_${role}`)}
              </Text>
            </span>
          ))}
          {orgs.length > 5 && (
            <Text size="xs" c="dimmed">
              {say('moreOrgs', { count: orgs.length - 5 })}
            </Text>
          )}
          {orgs.length === 0 && '–'}
        </Group>
      ),
      csv: ({ orgs }) => orgs.map(({ slug }) => slug).join(' '),
    },
    {
      id: 'verified',
      title: say('verified'),
      from: 'sm',
      cell: ({ is_verified: isVerified }) => (
        <Badge variant="light" color={isVerified ? 'green' : 'gray'} tt="none" fw={500}>
          {say(isVerified ? 'yes' : 'no')}
        </Badge>
      ),
      csv: ({ is_verified: isVerified }) => String(isVerified ?? false),
    },
    { id: 'rescue', title: say('actions'), align: 'end', cell: ({ email }) => <Rescue email={email} /> },
  ];
  return (
    <DataList<Account>
      label={say('accounts')}
      columns={columns}
      query={query}
      idOf={({ email }) => email}
      nameOf={({ email }) => email}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={{ sortBy: 'email', dir: 1 }}
      empty={<Empty title={say('noAccounts')} />}
    />
  );
}

function Invites() {
  const say = useTexts(adminTexts);
  const orgOf = useOrgNames();
  const query = api.useQuery('get', '/api/users/invites', { params: { query: { pageSize: INVITES } } });
  const columns: readonly Column<Invite>[] = [
    { id: 'email', title: say('email'), width: '40%', cell: ({ email }) => email, csv: ({ email }) => email },
    {
      id: 'org',
      title: say('org'),
      cell: ({ oid, orgName }) => {
        const org = orgOf(oid);
        if (!org) return orgName ?? '–';
        return (
          <Anchor component={Link} to={`/o/${org.slug}/settings?tab=members`} size="sm" dir="auto">
            {org.name}
          </Anchor>
        );
      },
      csv: ({ oid }) => oid,
    },
    {
      id: 'role',
      title: say('role'),
      from: 'sm',
      cell: ({ role }) => (role ? say(`role_${role}`) : '–'),
      csv: ({ role }) => role,
    },
    {
      id: 'created',
      title: say('sent'),
      from: 'sm',
      cell: ({ created }) => <When at={created} />,
      csv: ({ created }) => created,
    },
  ];
  return (
    <DataList<Invite>
      label={say('invites')}
      columns={columns}
      query={query}
      idOf={({ email, oid, created }) => `${email ?? ''} ${oid ?? ''} ${created}`}
      nameOf={({ email }) => email ?? ''}
      pageSize={INVITES}
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
