import { Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../i18n/texts';
import { SidePanel } from '../dialogs';
import type { AuditSearch } from './audit-search';
import { actionWords, Outcome, useActorName, useTargetKind, type AuditEvent } from './audit-words';
import { auditTexts } from './audit.texts';

interface AuditDetailProps {
  readonly event: AuditEvent;
  readonly org: ReactNode;
  readonly onNarrow: (change: AuditSearch) => void;
  readonly onClose: () => void;
}

const Id = ({ id }: { readonly id: string }) => (
  <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
    {id}
  </Code>
);

/** All that one entry says. */
export function AuditDetail({ event, org, onNarrow, onClose }: AuditDetailProps) {
  const say = useTexts(auditTexts);
  const intl = useIntl();
  const nameOf = useActorName();
  const kindOf = useTargetKind();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [say('when'), intl.formatDate(event.at, { dateStyle: 'full', timeStyle: 'long' })],
    [say('who'), <Named key="who" name={nameOf(event)} id={event.actor} />],
    [say('key'), event.key && <Id id={event.key} />],
    [say('action'), <Id key="action" id={event.action} />],
    [say('org'), org],
    [say('target'), event.target && <Named name={kindOf(event.targetKind)} id={event.target} />],
    [say('status'), event.status === null ? null : String(event.status)],
    [say('address'), event.address],
    [say('requestId'), event.requestId && <Id id={event.requestId} />],
    [say('fields'), event.fields.length > 0 && <Id id={event.fields.join(', ')} />],
  ];
  const narrow = (change: AuditSearch): void => {
    onNarrow(change);
    onClose();
  };
  return (
    <SidePanel onClose={onClose} title={actionWords(event.action)}>
      <Stack gap="sm">
        <Group>
          <Outcome of={event.outcome} />
        </Group>
        {event.outcome === 'unknown' && <Text size="sm">{say('unknownText')}</Text>}
        <Table layout="fixed" verticalSpacing="xs" fz="sm">
          <Table.Tbody>
            {facts.map(
              ([title, value]) =>
                value && (
                  <Table.Tr key={title}>
                    <Table.Th scope="row" w="32%" fw={500} style={{ verticalAlign: 'top' }}>
                      {title}
                    </Table.Th>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                  </Table.Tr>
                ),
            )}
          </Table.Tbody>
        </Table>
        {event.changed.length > 0 && <Changed of={event.changed} />}
        <Title order={3}>{say('narrow')}</Title>
        <Group gap="xs">
          {event.actor && <Narrow text={say('ofPerson')} onClick={() => narrow({ user: event.actor ?? undefined })} />}
          <Narrow text={say('ofAction')} onClick={() => narrow({ action: event.action })} />
          {event.target && (
            <Narrow text={say('ofTarget')} onClick={() => narrow({ target: event.target ?? undefined })} />
          )}
        </Group>
      </Stack>
    </SidePanel>
  );
}

function Named({ name, id }: { readonly name: string | null; readonly id: string | null }) {
  return (
    <>
      {name && (
        <Text size="sm" dir="auto">
          {name}
        </Text>
      )}
      {id && <Id id={id} />}
    </>
  );
}

function Narrow({ text, onClick }: { readonly text: string; readonly onClick: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconFilter size={14} aria-hidden />} onClick={onClick}>
      {text}
    </Button>
  );
}

/** Settings as they were and as they are. */
function Changed({ of }: { readonly of: AuditEvent['changed'] }) {
  const say = useTexts(auditTexts);
  const intl = useIntl();
  const shown = (value: AuditEvent['changed'][number]['before']): string => {
    if (typeof value === 'boolean') return say(value ? 'on' : 'off');
    if (typeof value === 'number') return intl.formatNumber(value);
    return value ?? '–';
  };
  return (
    <>
      <Title order={3}>{say('changed')}</Title>
      <Table aria-label={say('changed')} verticalSpacing="xs" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{say('setting')}</Table.Th>
            <Table.Th>{say('before')}</Table.Th>
            <Table.Th>{say('after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map(({ field, before, after }) => (
            <Table.Tr key={field}>
              <Table.Td>
                <Id id={field} />
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(before)}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {of.some(({ before, after }) => before === null || after === null) && (
        <Text size="xs" c="dimmed">
          {say('notKept')}
        </Text>
      )}
    </>
  );
}
