import { ActionIcon, Badge, Button, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { useAct } from '../../ui/use-act';
import { accountTexts } from './account.texts';

type Session = Schemas['SessionOut'];

/** The most sessions that an account has: all of them stand on one page. */
const MOST = 200;
const NO_SEARCH = {};

/** Where one is logged in, and the way to end that. */
export function MySessions() {
  const say = useTexts(accountTexts);
  const ask = useConfirm();
  const act = useAct();
  const { data, ...query } = api.useQuery('get', '/api/users/me/sessions');
  const end = async ({ id, device }: Session): Promise<void> => {
    const title = say('endOne', { device: device || say('unknownDevice') });
    if (!(await ask({ title, text: say('endText'), action: say('endSession'), isDestructive: true }))) return;
    const path = { sessionId: id };
    await act(() => client.DELETE('/api/users/me/sessions/{sessionId}', { params: { path } }), say('ended'));
  };
  const endOthers = async (): Promise<void> => {
    const question = { title: say('endOthers'), text: say('endText'), action: say('endOthers'), isDestructive: true };
    if (await ask(question)) await act(() => client.POST('/api/users/me/sessions/end-others'), say('othersEnded'));
  };
  const columns = useColumns(end);
  const others = data?.items.some(({ current }) => !current) ?? false;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text c="dimmed" size="sm" flex="1 1 300px">
          {say('sessionsText')}
        </Text>
        {others && (
          <Button variant="default" leftSection={<IconLogout size={18} aria-hidden />} onClick={() => void endOthers()}>
            {say('endOthers')}
          </Button>
        )}
      </Group>
      <DataList<Session>
        label={say('sessions')}
        columns={columns}
        query={{ ...query, data: data && { items: data.items, total: data.items.length } }}
        idOf={({ id }) => id}
        nameOf={({ device }) => device || say('unknownDevice')}
        pageSize={MOST}
        search={NO_SEARCH}
        onSearch={() => undefined}
        order={{ sortBy: 'lastUsed', dir: -1 }}
        empty={<Empty title={say('noSessions')}>{say('noSessionsText')}</Empty>}
      />
    </Stack>
  );
}

function useColumns(end: (session: Session) => Promise<void>): readonly Column<Session>[] {
  const say = useTexts(accountTexts);
  const howOf = ({ how }: Session): string => {
    if (how.startsWith('oidc:')) return say('howProvider', { provider: how.slice('oidc:'.length) });
    return say(how === 'password' ? 'howPassword' : how === 'passkey' ? 'howPasskey' : 'howToken');
  };
  return [
    {
      id: 'device',
      title: say('device'),
      width: '40%',
      cell: (session) => (
        <>
          <Group gap="xs">
            <Text size="sm" fw={500} style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
              {session.device || say('unknownDevice')}
            </Text>
            {session.current && (
              <Badge variant="light" color="green" size="sm">
                {say('thisOne')}
              </Badge>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            {howOf(session)}
            {session.factor && session.how !== 'passkey' ? `, ${say('withFactor')}` : ''}
          </Text>
        </>
      ),
      csv: ({ device }) => device,
    },
    {
      id: 'ip',
      title: say('address'),
      from: 'sm',
      cell: ({ ip }) => (
        <Text size="sm" ff="monospace">
          {ip}
        </Text>
      ),
      csv: ({ ip }) => ip,
    },
    {
      id: 'created',
      title: say('began'),
      from: 'sm',
      cell: ({ created }) => <When at={created} />,
      csv: ({ created }) => created,
    },
    {
      id: 'lastUsed',
      title: say('lastUsed'),
      cell: ({ lastUsed }) => <When at={lastUsed} />,
      csv: ({ lastUsed }) => lastUsed,
    },
    {
      id: 'end',
      title: say('actions'),
      align: 'end',
      cell: (session) =>
        session.current ? null : (
          <Tooltip label={say('endSession')}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={say('endOne', { device: session.device || say('unknownDevice') })}
              onClick={() => void end(session)}
            >
              <IconLogout size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ),
    },
  ];
}
