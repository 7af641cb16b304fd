import { Alert, Badge, Button, Checkbox, FileButton, Group, Stack, Table, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { api, client, send, type Schemas } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { ExportCsv } from '../../ui/export-csv';
import { useBytes } from '../../ui/format';
import { Loading, notifyProblem, Problem } from '../../ui/problems';
import { Section } from '../../ui/section';
import { useAct } from '../../ui/use-act';
import { adminTexts } from './admin.texts';
import { useSettings } from './queries';

export function SystemTab() {
  return (
    <>
      <Health />
      <SettingsInForce />
      <Tools />
      <Import />
    </>
  );
}

/** What runs where, how it is, and how much room is left. */
function Health() {
  const say = useTexts(adminTexts);
  const bytes = useBytes();
  const query = api.useQuery('get', '/api/system', {}, { refetchInterval: EVERY.seldom });
  const problem: unknown = query.error;
  if (problem) return <Problem error={problem} retry={() => void query.refetch()} />;
  const { data } = query;
  if (!data) return <Loading />;
  const { database, disk } = data;
  const stores = data.storages.join(', ');
  const ready = (isReady: boolean): string => say(isReady ? 'isReady' : 'isNotReady');
  const rows: readonly HealthRow[] = [
    { name: 'version', text: `${data.version} (Node.js ${data.node})` },
    { name: 'database', text: say('databaseState', { version: database.version, size: bytes(database.diskBytes) }) },
    {
      name: 'driver',
      text: `${data.driver}: ${ready(data.isDriverReady)}`,
      shown: <Ready name={data.driver} isReady={data.isDriverReady} />,
    },
    {
      name: 'storages',
      text: `${stores}: ${ready(data.areStoragesReady)}`,
      shown: <Ready name={stores} isReady={data.areStoragesReady} />,
    },
    {
      name: 'freeSpace',
      text: say('freeSpaceOf', { free: bytes(disk.freeBytes), total: bytes(disk.totalBytes) }),
    },
    { name: 'mail', text: data.mail, shown: <Mail target={data.mail} /> },
  ];
  return (
    <Section
      title={say('health')}
      isNarrow
      actions={
        <ExportCsv
          label={say('health')}
          columns={[
            { title: say('property'), csv: ({ name }) => say(name) },
            { title: say('value'), csv: ({ text }) => text },
          ]}
          rows={() => rows}
        />
      }
    >
      <Table aria-label={say('health')}>
        <Table.Tbody>
          {rows.map(({ name, text, shown = text }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={500}>
                {say(name)}
              </Table.Th>
              <Table.Td ta="end" style={{ overflowWrap: 'anywhere' }}>
                {shown}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

interface HealthRow {
  readonly name: keyof typeof adminTexts.english;
  readonly text: string;
  /** Where a text does not say enough. */
  readonly shown?: ReactNode;
}

function Ready({ name, isReady }: { readonly name: string; readonly isReady: boolean }) {
  const say = useTexts(adminTexts);
  return (
    <Group gap="xs" justify="flex-end">
      {name}
      <Badge variant="light" color={isReady ? 'green' : 'red'} tt="none">
        {say(isReady ? 'isReady' : 'isNotReady')}
      </Badge>
    </Group>
  );
}

/** Where mails go, and whether one gets there. */
function Mail({ target }: { readonly target: string }) {
  const say = useTexts(adminTexts);
  const [result, setResult] = useState<Schemas['TestMailResult'] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const test = async (): Promise<void> => {
    setIsBusy(true);
    await client.POST('/api/system/test-mail', {}).then(({ data }) => setResult(data ?? null), notifyProblem);
    setIsBusy(false);
  };
  return (
    <Stack gap={6} align="flex-end">
      {target}
      <Button variant="default" size="xs" loading={isBusy} onClick={() => void test()}>
        {say('testMail')}
      </Button>
      {result && (
        <Alert variant="light" color={result.success ? 'green' : 'red'} p="xs" role="status" ta="start">
          {result.success ? say('testMailSent') : say('testMailFailed', { reason: result.reason })}
        </Alert>
      )}
    </Stack>
  );
}

/** `GET /api/settings`: what everybody may know of how the service is set up. */
function SettingsInForce() {
  const say = useTexts(adminTexts);
  const intl = useIntl();
  const settings = useSettings();
  if (!settings) return <Loading />;
  const shown = (value: unknown): string => {
    if (value === true || value === false) return say(value ? 'yes' : 'no');
    if (value == null || value === '') return say('notSet');
    if (typeof value === 'number') return intl.formatNumber(value);
    return Array.isArray(value) ? value.join(', ') : String(value as string);
  };
  return (
    <Section
      title={say('settingsInForce')}
      lead={say('settingsInForceLead')}
      isNarrow
      actions={
        <ExportCsv
          label={say('settingsInForce')}
          columns={[
            { title: say('property'), csv: ([name]) => name },
            { title: say('value'), csv: ([, value]) => shown(value) },
          ]}
          rows={() => Object.entries(settings)}
        />
      }
    >
      <Table aria-label={say('settingsInForce')}>
        <Table.Tbody>
          {Object.entries(settings).map(([name, value]) => {
            const key = `set_${name}`;
            return (
              <Table.Tr key={name}>
                <Table.Th scope="row" fw={500}>
                  {key in adminTexts.english ? say(key as 'set_salesEmail') : name}
                </Table.Th>
                <Table.Td ta="end">{shown(value)}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function Tools() {
  const say = useTexts(adminTexts);
  const act = useAct();
  const ask = useConfirm();
  const tools = [
    ['clearUrls', () => client.POST('/api/orgs/clear-presigned-urls', {})],
    ['resetSchedules', () => client.POST('/api/orgs/all/crawlconfigs/reAddCronjobs', {})],
    ['migrate', () => client.POST('/api/orgs/all/jobs/migrateCrawls', {})],
  ] as const;
  const run = async (name: (typeof tools)[number][0], action: () => Promise<unknown>): Promise<void> => {
    if (await ask({ title: say(name), text: say(`${name}Text`), action: say(name) }))
      await act(action, say('toolStarted'));
  };
  return (
    <Section title={say('repairs')} isNarrow>
      <Stack gap="sm">
        {tools.map(([name, action]) => (
          <Group key={name} justify="space-between" wrap="nowrap" align="flex-start">
            <Text size="sm">{say(`${name}Text`)}</Text>
            <Button variant="default" size="xs" style={{ flexShrink: 0 }} onClick={() => void run(name, action)}>
              {say(name)}
            </Button>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

/** Takes in an org that another service exported. */
function Import() {
  const say = useTexts(adminTexts);
  const act = useAct();
  const [file, setFile] = useState<File | null>(null);
  const [isAnyVersion, setIsAnyVersion] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const start = async (): Promise<void> => {
    setIsBusy(true);
    const path = `/api/orgs/import/json?ignoreVersion=${String(isAnyVersion)}`;
    if (await act(() => send(path, { method: 'POST', body: file }), say('imported'))) setFile(null);
    setIsBusy(false);
  };
  return (
    <Section title={say('import')} lead={say('importLead')} isNarrow>
      <Checkbox
        label={say('anyVersion')}
        checked={isAnyVersion}
        onChange={(event) => setIsAnyVersion(event.currentTarget.checked)}
      />
      <Group>
        <FileButton onChange={setFile} accept="application/json">
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={18} aria-hidden />}>
              {file?.name ?? say('chooseFile')}
            </Button>
          )}
        </FileButton>
        <Button disabled={!file} loading={isBusy} onClick={() => void start()}>
          {say('importOrg')}
        </Button>
      </Group>
    </Section>
  );
}
