import { Alert, Anchor, Button, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArchive, IconListDetails } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Bytes, Count, duration, useBytes, When } from '../../ui/format';
import { isActive, isPaused, StateBadge } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { useNow } from './now';
import type { Crawl, Workflow } from './queries';
import { isKept } from './states';
import { useWhy } from './why';
import { WaitingFor } from './waiting-for';
import { WindowCount } from './window-count';

interface StatusProps {
  readonly crawl: Crawl;
  readonly workflow: Workflow;
}

/** The state of a crawl in words, what would end its wait, and its figures. */
export function CrawlStatus({ crawl, workflow }: StatusProps) {
  const { now, end, detail } = useWhy(crawl, workflow);
  const { canCrawl } = useOrg();
  const isOn = isActive(crawl.state);
  return (
    <Paper withBorder p="md" radius="md" component="section" aria-label={now}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} style={{ flex: '1 1 320px' }} role="status">
            <Group gap="sm">
              <StateBadge state={crawl.state} />
              <Text fw={500}>{now}</Text>
            </Group>
            {end && <Text size="sm">{end}</Text>}
            {detail && (
              <Text size="sm" c="dimmed">
                {detail}
              </Text>
            )}
            <WaitingFor crawl={crawl} />
          </Stack>
          {isOn && canCrawl ? <WindowCount crawl={crawl} /> : <Outcome crawl={crawl} />}
        </Group>
        {isOn && <PageProgress crawl={crawl} />}
        <Figures crawl={crawl} workflow={workflow} />
        {isPaused(crawl.state) && (crawl.fileCount ?? 0) > 0 && <SoFar crawl={crawl} />}
      </Stack>
    </Paper>
  );
}

/** Where what the crawl made can be looked at. */
function Outcome({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { slug } = useOrg();
  if (isActive(crawl.state)) return null;
  return (
    <Group gap="xs">
      {isKept(crawl.state) ? (
        <Button
          component={Link}
          to={`/o/${slug}/items/${crawl.id}`}
          variant="light"
          leftSection={<IconArchive size={16} aria-hidden />}
        >
          {say('openItem')}
        </Button>
      ) : (
        <Button
          component={Link}
          to={`/o/${slug}/workflows/${crawl.cid ?? ''}?tab=logs`}
          variant="light"
          leftSection={<IconListDetails size={16} aria-hidden />}
        >
          {say('seeLogs')}
        </Button>
      )}
    </Group>
  );
}

function SoFar({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { slug } = useOrg();
  return (
    <Alert variant="light" p="xs">
      <Anchor component={Link} to={`/o/${slug}/items/${crawl.id}`} size="sm">
        {say('openItemSoFar')}
      </Anchor>
    </Alert>
  );
}

function PageProgress({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { done = 0, found = 0 } = crawl.stats ?? {};
  const share = found > 0 ? Math.min(100, (done / found) * 100) : 0;
  return (
    <Progress.Root size="lg" radius="xl">
      <Progress.Section
        value={share}
        animated={crawl.state === 'running'}
        color={isPaused(crawl.state) ? 'yellow' : undefined}
        aria-label={say('progress')}
        aria-valuetext={say('pagesDoneOf', { done, found })}
      />
    </Progress.Root>
  );
}

function Figures({ crawl, workflow }: StatusProps) {
  const say = useTexts(crawlsTexts);
  const bytes = useBytes();
  const isOn = isActive(crawl.state);
  const now = useNow(isOn && !isPaused(crawl.state));
  const end = crawl.finished ? new Date(crawl.finished).getTime() : now;
  const seconds = Math.max(0, (end - new Date(crawl.started).getTime()) / 1000);
  const { done = 0, found = 0, size = 0 } = crawl.stats ?? {};
  const execMinutes = (crawl.crawlExecSeconds ?? 0) / 60;
  const limit = workflow.config?.limit;
  const sizeLimit = workflow.maxCrawlSize;
  const timeLimit = workflow.crawlTimeout;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" component="dl" m={0}>
      <Figure name={say('pagesDone')} note={isOn && limit ? say('pagesLimit', { limit }) : undefined}>
        {say('pagesDoneOf', { done, found })}
      </Figure>
      <Figure name={say('size')} note={isOn && sizeLimit ? say('sizeLimit', { limit: bytes(sizeLimit) }) : undefined}>
        <Bytes value={isOn ? size : (crawl.fileSize ?? size)} />
      </Figure>
      <Figure
        name={isOn ? say('time') : say('timeTaken')}
        note={isOn && timeLimit ? say('timeLimit', { limit: duration(timeLimit) }) : undefined}
      >
        {duration(seconds)}
      </Figure>
      {isOn ? (
        <Figure name={say('perMinute')}>
          <Count value={execMinutes > 0.1 ? Math.round((done / execMinutes) * 10) / 10 : null} />
        </Figure>
      ) : (
        <Figure name={say('execTime')}>{duration(crawl.crawlExecSeconds)}</Figure>
      )}
      <Figure name={say('startedAt')} note={startedBy(crawl, say)}>
        <When at={crawl.started} />
      </Figure>
      {isOn ? (
        <Figure name={say('errorPages')}>
          <Count value={crawl.errorPageCount ?? 0} />
        </Figure>
      ) : (
        <Figure name={say('finishedAt')}>
          <When at={crawl.finished} />
        </Figure>
      )}
    </SimpleGrid>
  );
}

function startedBy(
  crawl: Crawl,
  say: ReturnType<typeof useTexts<keyof typeof crawlsTexts.english>>,
): string | undefined {
  if (!crawl.manual) return say('bySchedule');
  return crawl.userName ? say('startedBy', { name: crawl.userName }) : undefined;
}

interface FigureProps {
  readonly name: string;
  readonly note?: string | undefined;
  readonly children: ReactNode;
}
function Figure({ name, note, children }: FigureProps) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
        {note && (
          <Text span size="xs" c="dimmed" fw={400} display="block">
            {note}
          </Text>
        )}
      </Text>
    </div>
  );
}
