import { Alert, Badge, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { client } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrg, useOrgRecord } from '../../../session/me';
import { useConfirm } from '../../../ui/confirm';
import { Count, useBytes, When } from '../../../ui/format';
import { Empty } from '../../../ui/problems';
import { useAct } from '../../../ui/use-act';
import { isWorking, type Collection, type IndexState } from '../queries';
import { dedupeTexts } from './dedupe.texts';
import { DeleteIndex } from './delete-index';
import { IndexUsers } from './index-users';

/** The index of a collection: what crawls need not store again, and who uses it. */
export function DedupeTab({ collection }: { readonly collection: Collection }) {
  const isOn = useOrgRecord()?.featureFlags?.dedupeEnabled ?? false;
  const { indexState } = collection;
  if (!indexState) return <NoIndex collection={collection} isOn={isOn} />;
  return (
    <Stack>
      <Figures collection={collection} state={indexState} />
      <IndexUsers id={collection.id} />
    </Stack>
  );
}

function NoIndex({ collection, isOn }: { readonly collection: Collection; readonly isOn: boolean }) {
  const say = useTexts(dedupeTexts);
  const { canCrawl, oid } = useOrg();
  const act = useAct();
  if (!isOn) return <Empty title={say('off')}>{say('offText')}</Empty>;
  const make = () =>
    act(
      () =>
        client.POST('/api/orgs/{oid}/collections/{coll_id}/dedupeIndex/create', {
          params: { path: { oid, coll_id: collection.id } },
        }),
      say('made'),
    );
  return (
    <Empty title={say('none')} action={canCrawl && <Button onClick={() => void make()}>{say('make')}</Button>}>
      {say('noneText')}
    </Empty>
  );
}

function Figures({ collection, state }: { readonly collection: Collection; readonly state: IndexState }) {
  const say = useTexts(dedupeTexts);
  const bytes = useBytes();
  const stats = collection.indexStats;
  const saved = stats?.conservedSize ?? 0;
  const whole = saved + (stats?.totalCrawlSize ?? 0);
  const removed = stats?.removedCrawls ?? 0;
  const redundant = stats?.estimatedRedundantSize ?? 0;
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="flex-start" mb="md">
        <Stack gap={4}>
          <Group gap="sm">
            <Title order={2}>{say('saved', { size: bytes(saved) })}</Title>
            <Badge
              variant="light"
              tt="none"
              fw={500}
              color={isWorking(state) || state === 'crawling' ? 'blue' : 'green'}
            >
              {say(`state_${state}`)}
            </Badge>
          </Group>
          {whole > 0 && (
            <Text size="sm" c="dimmed">
              {say('savedShare', { percent: saved / whole })}
            </Text>
          )}
        </Stack>
        <IndexActions collection={collection} state={state} />
      </Group>
      {isWorking(state) && <Reading progress={stats?.updateProgress ?? 0} />}
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} component="dl" m={0}>
        <Figure label={say('items')}>
          <Count value={stats?.totalCrawls ?? 0} />
        </Figure>
        <Figure label={say('itemsSize')}>{bytes(stats?.totalCrawlSize ?? 0)}</Figure>
        <Figure label={say('urls')}>
          <Count value={stats?.totalUrls ?? 0} />
        </Figure>
        <Figure label={say('repeated')}>
          <Count value={stats?.dupeUrls ?? 0} />
        </Figure>
        <Figure label={say('bodies')}>
          <Count value={stats?.uniqueHashes ?? 0} />
        </Figure>
        {redundant > 0 && <Figure label={say('redundant')}>{bytes(redundant)}</Figure>}
        {collection.indexLastSavedAt && (
          <Figure label={say('lastSaved')}>
            <When at={collection.indexLastSavedAt} />
          </Figure>
        )}
      </SimpleGrid>
      {removed > 0 && (
        <Alert mt="md" color="yellow" variant="light" title={say('removed')}>
          {say('removedText', { count: removed, size: bytes(stats?.removedCrawlSize ?? 0) })}
        </Alert>
      )}
    </Paper>
  );
}

function Reading({ progress }: { readonly progress: number }) {
  const say = useTexts(dedupeTexts);
  const text = say('progress', { percent: progress });
  return (
    <Stack gap={4} mb="md">
      <Progress value={progress * 100} aria-label={text} animated />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Stack>
  );
}

function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fw={600}>
        {children}
      </Text>
    </div>
  );
}

function IndexActions({ collection, state }: { readonly collection: Collection; readonly state: IndexState }) {
  const say = useTexts(dedupeTexts);
  const { isOwner, oid } = useOrg();
  const ask = useConfirm();
  const act = useAct();
  const [isDeleting, setDeleting] = useState(false);
  if (!isOwner) return null;
  const rebuild = async (): Promise<void> => {
    const { id, name } = collection;
    const question = { title: say('rebuildTitle', { name }), text: say('rebuildText'), action: say('rebuild') };
    if (!(await ask(question))) return;
    const params = { path: { oid, coll_id: id } };
    await act(
      () => client.POST('/api/orgs/{oid}/collections/{coll_id}/dedupeIndex/purge', { params }),
      say('rebuildStarted'),
    );
  };
  return (
    <Group gap="xs">
      <Button variant="default" disabled={isWorking(state) || state === 'crawling'} onClick={() => void rebuild()}>
        {say('rebuild')}
      </Button>
      <Button variant="default" onClick={() => setDeleting(true)}>
        {say('remove')}
      </Button>
      {isDeleting && <DeleteIndex collection={collection} onClose={() => setDeleting(false)} />}
    </Group>
  );
}
