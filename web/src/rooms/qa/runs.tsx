import { ActionIcon, Box, Button, Group, Menu, Paper, Progress, Select, Stack, Text, Title } from '@mantine/core';
import { IconDots, IconDownload, IconPlayerStop, IconTrash, IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { withToken } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { duration, When } from '../../ui/format';
import { Empty, notifyProblem } from '../../ui/problems';
import { StateBadge } from '../../ui/state-badge';
import { hasFindings, isRunning, useRunActions, type Run } from './queries';
import { qaTexts } from './qa.texts';
import { StartRun } from './start-run';

const route = getRouteApi('/member/o/$slug/items/$id/qa');

interface RunsProps {
  readonly id: string;
  readonly runs: readonly Run[];
  readonly chosen: Run | undefined;
}

/** The QA runs of a crawl: which one is looked at, how the active one goes, and a new one. */
export function Runs({ id, runs, chosen }: RunsProps) {
  const say = useTexts(qaTexts);
  const { canCrawl } = useOrg();
  const [isStarting, setStarting] = useState(false);
  const active = runs.find(isRunning);
  const start = canCrawl && !active && (
    <Button variant={runs.length > 0 ? 'default' : 'filled'} onClick={() => setStarting(true)}>
      {say('start')}
    </Button>
  );
  return (
    <Box component="section" aria-label={say('runs')}>
      {runs.length === 0 ? (
        <Paper withBorder>
          <Empty title={say('noRuns')} action={start}>
            {say('noRunsText')}
          </Empty>
        </Paper>
      ) : (
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2}>{say('runs')}</Title>
            {start}
          </Group>
          {active && <ActiveRun id={id} run={active} />}
          {chosen && <ChosenRun id={id} runs={runs} chosen={chosen} />}
        </Stack>
      )}
      {isStarting && <StartRun id={id} onClose={() => setStarting(false)} />}
    </Box>
  );
}

function ActiveRun({ id, run }: { readonly id: string; readonly run: Run }) {
  const say = useTexts(qaTexts);
  const { canCrawl } = useOrg();
  const actions = useRunActions(id);
  const ask = useConfirm();
  const { done = 0, found = 0 } = run.stats ?? {};
  const share = found > 0 ? (100 * done) / found : 0;
  const cancel = async (): Promise<void> => {
    const question = { title: say('cancelRun'), text: say('cancelRunText'), action: say('cancelRun') };
    if (await ask({ ...question, isDestructive: true })) await actions.cancel().catch(notifyProblem);
  };
  return (
    <Paper withBorder p="md" aria-label={say('activeRun')} role="region">
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="sm">
            <StateBadge state={run.state} />
            <Text size="sm" role="status">
              {say('progress', { done, found })}
            </Text>
          </Group>
          {canCrawl && (
            <Group gap="xs">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlayerStop size={14} aria-hidden />}
                onClick={() => void actions.stop().catch(notifyProblem)}
              >
                {say('stopRun')}
              </Button>
              <Button
                size="xs"
                variant="subtle"
                color="red"
                leftSection={<IconX size={14} aria-hidden />}
                onClick={() => void cancel()}
              >
                {say('cancelRun')}
              </Button>
            </Group>
          )}
        </Group>
        <Progress value={share} animated aria-label={say('progress', { done, found })} />
      </Stack>
    </Paper>
  );
}

function ChosenRun({ id, runs, chosen }: RunsProps & { readonly chosen: Run }) {
  const say = useTexts(qaTexts);
  const intl = useIntl();
  const navigate = route.useNavigate();
  const choices = runs.map((run) => ({
    value: run.id,
    label: say('runOf', {
      date: intl.formatDate(run.started, { dateStyle: 'medium', timeStyle: 'short' }),
      person: run.userName ?? '–',
    }),
  }));
  const choose = (run: string | null): void =>
    void navigate({ search: (now) => ({ ...now, run: run ?? undefined, page: undefined }) });
  return (
    <Group gap="md" align="flex-end" wrap="wrap">
      <Select
        label={say('run')}
        data={choices}
        value={chosen.id}
        allowDeselect={false}
        onChange={choose}
        w={{ base: '100%', xs: 340 }}
      />
      <Group gap="sm" mih={36}>
        <StateBadge state={chosen.state} />
        <Text size="sm" c="dimmed" component="div">
          {say('pagesChecked', { count: chosen.stats?.done ?? 0 })}
          {' · '}
          {chosen.finished && (
            <>
              <When at={chosen.finished} />
              {' · '}
            </>
          )}
          {duration(chosen.crawlExecSeconds)}
        </Text>
        {chosen.finished && <RunMenu id={id} run={chosen} />}
      </Group>
    </Group>
  );
}

function RunMenu({ id, run }: { readonly id: string; readonly run: Run }) {
  const say = useTexts(qaTexts);
  const { oid, canCrawl } = useOrg();
  const actions = useRunActions(id);
  const ask = useConfirm();
  const navigate = route.useNavigate();
  const remove = async (): Promise<void> => {
    const question = { title: say('deleteRun'), text: say('deleteRunText'), action: say('deleteRun') };
    if (!(await ask({ ...question, isDestructive: true }))) return;
    await actions
      .remove(run.id)
      .then(() => void navigate({ search: (now) => ({ ...now, run: undefined, page: undefined }) }), notifyProblem);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={say('runActions')}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {hasFindings(run) && (
          <Menu.Item
            component="a"
            href={withToken(`/api/orgs/${oid}/crawls/${id}/qa/${run.id}/download`)}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {say('download')}
          </Menu.Item>
        )}
        {canCrawl && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
            {say('deleteRun')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
