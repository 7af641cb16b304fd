import { Anchor, Button, Code, Group, List, Stack, Table, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { When } from '../../ui/format';
import { crawlsTexts } from './crawls.texts';
import classes from './crawls.module.css';
import { Panel } from './panel';
import type { Workflow } from './queries';
import { useSettingGroups } from './setting-groups';

const SEEDS = 100;

/** The settings of the workflow as they are now, in plain words; those that are not set are left out. */
export function SettingsTab({ workflow }: { readonly workflow: Workflow }) {
  const say = useTexts(crawlsTexts);
  const { slug, canCrawl } = useOrg();
  const groups = useSettingGroups(workflow);
  const here = `/o/${slug}/workflows/${workflow.id}`;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {say('changed')} <When at={workflow.modified ?? workflow.created} />
          {workflow.modifiedByName ? ` ${say('startedBy', { name: workflow.modifiedByName })}` : ''}
          {' · '}
          <Anchor component={Link} to={`${here}/revisions`} size="sm" underline="always">
            {say('revisions')}
          </Anchor>
        </Text>
        {canCrawl && (
          <Button
            component={Link}
            to={`${here}/edit`}
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            {say('editSettings')}
          </Button>
        )}
      </Group>
      <Panel title={say('startPages')}>
        <Seeds workflow={workflow} />
      </Panel>
      {groups.map(({ title, rows }) => (
        <Panel key={title} title={title}>
          <Table layout="fixed" aria-label={title}>
            <Table.Tbody>
              {rows.map(({ name, value }) => (
                <Row key={name} name={name}>
                  {value}
                </Row>
              ))}
            </Table.Tbody>
          </Table>
        </Panel>
      ))}
    </Stack>
  );
}

const Row = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w="38%" fw={500} scope="row" style={{ verticalAlign: 'top' }}>
      {name}
    </Table.Th>
    <Table.Td className={classes.url}>{children}</Table.Td>
  </Table.Tr>
);

function Seeds({ workflow }: { readonly workflow: Workflow }) {
  const say = useTexts(crawlsTexts);
  const { oid } = useOrg();
  const { data } = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/{cid}/seeds', {
    params: { path: { oid, cid: workflow.id }, query: { pageSize: SEEDS } },
  });
  const total = Math.max(data?.total ?? 0, workflow.seedCount ?? 0);
  const seeds = data?.items ?? [];
  return (
    <Stack gap="xs">
      <List size="sm" spacing={4}>
        {seeds.map(({ url }) => (
          <List.Item key={url} className={classes.url}>
            <Code>{url}</Code>
          </List.Item>
        ))}
      </List>
      {workflow.config?.seedFileId && <Text size="sm">{say('seedsInFile', { total })}</Text>}
      {total > seeds.length && !workflow.config?.seedFileId && (
        <Text size="sm">{say('seedsMore', { count: total - seeds.length })}</Text>
      )}
    </Stack>
  );
}
