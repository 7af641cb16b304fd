import {
  ActionIcon,
  Badge,
  Button,
  Code,
  Group,
  Select,
  Stack,
  Text,
  Title,
  Tooltip,
  UnstyledButton,
} from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, client, type Schemas } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { DataList, type Column } from '../../ui/data-list';
import { SidePanel } from '../../ui/dialogs';
import { When } from '../../ui/format';
import { Empty, Loading, Problem } from '../../ui/problems';
import { useAddress, useChange, usePath } from './queries';
import { settingsTexts } from './settings.texts';
import { EVENTS } from './webhook-events';

type Notification = Schemas['WebhookNotification'];

const PAGE_SIZE = 25;

/** Whether a notification has been sent, has failed, or was not tried yet. */
function Sent({ notification }: { readonly notification: Notification }) {
  const say = useTexts(settingsTexts);
  const { success, attempts = 0 } = notification;
  const [text, color] = success
    ? [say('delivered'), 'green']
    : attempts > 0
      ? [say('notDelivered'), 'red']
      : [say('waiting'), 'gray'];
  return (
    <Badge variant="light" color={color} tt="none" fw={500}>
      {text}
    </Badge>
  );
}

function useResend(): (id: string) => Promise<boolean> {
  const say = useTexts(settingsTexts);
  const { path } = usePath();
  const save = useChange();
  return (id) =>
    save(
      () =>
        client.POST('/api/orgs/{oid}/webhooks/{notificationid}/retry', {
          params: { path: { ...path, notificationid: id } },
        }),
      say('resent'),
    );
}

export function WebhookLog() {
  const say = useTexts(settingsTexts);
  const { path } = usePath();
  const { search, change } = useAddress();
  const resend = useResend();
  const [opened, setOpened] = useState<string | null>(null);
  const { page = 1, sortBy = 'created', dir = -1, event, success } = search;
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/webhooks',
    { params: { path, query: { page, pageSize: PAGE_SIZE, sortBy, sortDirection: dir, event, success } } },
    { refetchInterval: EVERY.list },
  );
  const nameOf = (one: Notification): string => say(`event_${one.event}`);
  const columns: readonly Column<Notification>[] = [
    {
      id: 'event',
      title: say('event'),
      sortBy: 'event',
      cell: (one) => (
        <UnstyledButton
          fz="sm"
          fw={500}
          onClick={() => setOpened(one.id)}
          aria-label={say('openDelivery', { event: nameOf(one) })}
        >
          {nameOf(one)}
        </UnstyledButton>
      ),
      csv: (one) => one.event,
    },
    {
      id: 'success',
      title: say('state'),
      sortBy: 'success',
      cell: (one) => <Sent notification={one} />,
      csv: (one) => String(one.success ?? false),
    },
    {
      id: 'status',
      title: say('lastAnswer'),
      from: 'sm',
      cell: (one) => one.tries?.at(-1)?.status ?? '–',
      csv: (one) => one.tries?.at(-1)?.status,
    },
    {
      id: 'attempts',
      title: say('attempts'),
      sortBy: 'attempts',
      align: 'end',
      from: 'md',
      cell: (one) => one.attempts ?? 0,
      csv: (one) => one.attempts,
    },
    {
      id: 'created',
      title: say('happened'),
      sortBy: 'created',
      from: 'sm',
      cell: (one) => <When at={one.created} />,
      csv: (one) => one.created,
    },
    {
      id: 'resend',
      title: say('resend'),
      align: 'end',
      cell: (one) => (
        <Tooltip label={say('resend')}>
          <ActionIcon
            variant="subtle"
            aria-label={`${say('resend')}: ${nameOf(one)}`}
            onClick={() => void (one.id && resend(one.id))}
          >
            <IconSend size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ),
    },
  ];
  return (
    <>
      <DataList<Notification>
        label={say('deliveries')}
        columns={columns}
        query={query}
        idOf={(one) => one.id ?? one.created}
        nameOf={nameOf}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={{ sortBy: 'created', dir: -1 }}
        filters={<Filters />}
        isFiltered={event !== undefined || success !== undefined}
        onClearFilters={() => change({ event: undefined, success: undefined, page: undefined })}
        empty={<Empty title={say('noDeliveries')}>{say('noDeliveriesText')}</Empty>}
      />
      {opened && <Delivery id={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function Filters() {
  const say = useTexts(settingsTexts);
  const { search, change } = useAddress();
  return (
    <Group gap="sm">
      <Select
        size="xs"
        aria-label={say('event')}
        placeholder={say('anyEvent')}
        clearable
        data={EVENTS.map((value) => ({ value, label: say(`event_${value}`) }))}
        value={search.event ?? null}
        onChange={(value) => change({ event: value ?? undefined, page: undefined })}
      />
      <Select
        size="xs"
        aria-label={say('state')}
        placeholder={say('anyState')}
        clearable
        data={[
          { value: 'true', label: say('delivered') },
          { value: 'false', label: say('notDelivered') },
        ]}
        value={search.success === undefined ? null : String(search.success)}
        onChange={(value) => change({ success: value === null ? undefined : value === 'true', page: undefined })}
      />
    </Group>
  );
}

/** What was sent, and what the receiver answered each time. */
function Delivery({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useTexts(settingsTexts);
  const intl = useIntl();
  const { path } = usePath();
  const resend = useResend();
  const query = api.useQuery(
    'get',
    '/api/orgs/{oid}/webhooks/{notificationid}',
    { params: { path: { ...path, notificationid: id } } },
    { refetchInterval: ({ state }) => (state.data?.success ? false : EVERY.live) },
  );
  const one = query.data;
  return (
    <SidePanel onClose={onClose} title={one ? say(`event_${one.event}`) : say('deliveries')}>
      {query.error && <Problem error={query.error} />}
      {!one ? (
        <Loading />
      ) : (
        <Stack gap="sm">
          <Group gap="sm" justify="space-between">
            <Sent notification={one} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconSend size={16} aria-hidden />}
              onClick={() => void resend(id)}
            >
              {say('resend')}
            </Button>
          </Group>
          <Title order={3}>{say('request')}</Title>
          <Code block tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {JSON.stringify(one.body, null, 2)}
          </Code>
          <Title order={3}>{say('answers')}</Title>
          {(one.tries ?? []).length === 0 && <Text size="sm">{say('notTried')}</Text>}
          {[...(one.tries ?? [])].reverse().map(({ at, status, latencyMs, answer }) => (
            <div key={at}>
              <Text size="sm" fw={500}>
                {status ?? say('noAnswer')} · {intl.formatNumber(latencyMs)} ms · <When at={at} />
              </Text>
              {answer && (
                <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {answer}
                </Code>
              )}
            </div>
          ))}
        </Stack>
      )}
    </SidePanel>
  );
}
