import { Badge, Button, Checkbox, FileButton, Group, Stack, Table, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, send } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useConfirm } from '../../ui/confirm';
import { Loading } from '../../ui/problems';
import { Section } from '../../ui/section';
import { adminTexts } from './admin.texts';
import { useAct } from '../../ui/use-act';
import { useSettings } from './queries';

const PROBES = ['healthz', 'healthzStartup', 'readyz'] as const;

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

/** Version, and what the service answers to those who watch over it. */
function Health() {
  const say = useTexts(adminTexts);
  const version = useQuery({
    queryKey: ['version'],
    queryFn: async () => {
      const { info } = (await send('/api/openapi.json')) as { info?: { version?: string } };
      return info?.version ?? '–';
    },
    staleTime: Infinity,
  });
  const health = useQuery({
    queryKey: ['health'],
    queryFn: () =>
      Promise.all(
        PROBES.map((probe) =>
          send(`/${probe}`).then(
            () => true,
            () => false,
          ),
        ),
      ),
    refetchInterval: EVERY.seldom,
  });
  return (
    <Section title={say('health')} isNarrow>
      <Table aria-label={say('health')}>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row" fw={500}>
              {say('version')}
            </Table.Th>
            <Table.Td ta="end">{version.data ?? '–'}</Table.Td>
          </Table.Tr>
          {PROBES.map((probe, index) => (
            <Table.Tr key={probe}>
              <Table.Th scope="row" fw={500}>
                {say(`probe_${probe}`)}
              </Table.Th>
              <Table.Td ta="end">
                {health.data && (
                  <Badge variant="light" color={health.data[index] ? 'green' : 'red'} tt="none">
                    {say(health.data[index] ? 'yes' : 'no')}
                  </Badge>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

/** `GET /api/settings`: what everybody may know of how the service is set up. */
function SettingsInForce() {
  const say = useTexts(adminTexts);
  const settings = useSettings();
  if (!settings) return <Loading />;
  const shown = (value: unknown): string => {
    if (value === true || value === false) return say(value ? 'yes' : 'no');
    if (value == null || value === '') return say('notSet');
    return Array.isArray(value) ? value.join(', ') : String(value as string | number);
  };
  return (
    <Section title={say('settingsInForce')} lead={say('settingsInForceLead')} isNarrow>
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
