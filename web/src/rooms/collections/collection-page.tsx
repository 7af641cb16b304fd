import { Badge, Button, Loader, Tabs, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { useOrg, useOrgRecord } from '../../session/me';
import { ReplayFrame } from '../../session/replay-frame';
import { useBytes } from '../../ui/format';
import { Page } from '../../ui/page';
import { Empty, Loading, Problem } from '../../ui/problems';
import { AboutTab } from './about-tab';
import { AccessBadge } from './access';
import { AddItems } from './add-items';
import { CollectionMenu } from './collection-menu';
import { collectionsTexts } from './collections.texts';
import { DedupeTab } from './dedupe/dedupe-tab';
import { ItemsTab } from './items-tab';
import { PagesTab } from './pages-tab';
import { useCollection, type Collection } from './queries';
import { TABS, type CollectionSearch, type Tab } from './collection-search';
import { SharingTab } from './sharing-tab';

const route = getRouteApi('/member/o/$slug/collections/$id');

/** One collection: its replay, items, pages, texts and who sees it. */
export function CollectionPage() {
  const say = useTexts(collectionsTexts);
  const { id } = route.useParams();
  const { data, error, refetch } = useCollection(id);
  const { slug } = useOrg();
  if (data) return <Whole key={data.id} collection={data} />;
  if (error instanceof ApiProblem && (error.status === 404 || error.status === 422))
    return (
      <Page
        title={say('notFound')}
        lead={say('notFoundText')}
        back={{ to: `/o/${slug}/collections`, label: say('title') }}
      >
        {null}
      </Page>
    );
  return error ? (
    <Page title={say('title')} back={{ to: `/o/${slug}/collections`, label: say('title') }}>
      <Problem error={error} retry={() => void refetch()} />
    </Page>
  ) : (
    <Loading />
  );
}

function Whole({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { slug, canCrawl } = useOrg();
  const { tab = 'replay' } = route.useSearch();
  const isDedupeOn = useOrgRecord()?.featureFlags?.dedupeEnabled ?? false;
  // An address may name the tab before it is known whether deduplication is on.
  const hasDedupe = isDedupeOn || collection.indexState != null || tab === 'dedupe';
  const tabs = TABS.filter((one) => one !== 'dedupe' || hasDedupe);
  const navigate = useNavigate();
  const change = route.useNavigate();
  const [isAdding, setAdding] = useState(false);
  const open = (next: Tab, search: CollectionSearch = {}): void =>
    void change({ search: { ...search, tab: next === 'replay' ? undefined : next } });
  return (
    <Page
      title={collection.name}
      back={{ to: `/o/${slug}/collections`, label: say('title') }}
      aside={<AccessBadge access={collection.access} />}
      lead={<Lead collection={collection} />}
      actions={
        <>
          {canCrawl && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
              {(collection.crawlCount ?? 0) > 0 ? say('editItems') : say('addItems')}
            </Button>
          )}
          <CollectionMenu collection={collection} onDeleted={() => void navigate({ to: `/o/${slug}/collections` })} />
        </>
      }
    >
      <Tabs value={tab} onChange={(next) => next && open(next as Tab)} keepMounted={false} variant="default">
        <Tabs.List aria-label={say('tabs')} mb="md">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {say(`tab_${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="replay">
          <ReplayTab collection={collection} onAdd={() => setAdding(true)} />
        </Tabs.Panel>
        <Tabs.Panel value="items">
          <ItemsTab collection={collection} onAdd={() => setAdding(true)} />
        </Tabs.Panel>
        <Tabs.Panel value="pages">
          <PagesTab collection={collection} onReplay={(url, ts) => open('replay', { url, ts: ts ?? undefined })} />
        </Tabs.Panel>
        <Tabs.Panel value="about">
          <AboutTab collection={collection} />
        </Tabs.Panel>
        <Tabs.Panel value="sharing">
          <SharingTab collection={collection} />
        </Tabs.Panel>
        <Tabs.Panel value="dedupe">
          <DedupeTab collection={collection} />
        </Tabs.Panel>
      </Tabs>
      {isAdding && <AddItems collection={collection} onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** What it holds, in one line. */
function Lead({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const bytes = useBytes();
  const { crawlCount, pageCount, totalSize, caption, runningUpdatesCount = 0 } = collection;
  return (
    <>
      {caption && (
        <Text span dir="auto" display="block" size="sm" mb={4} style={{ overflowWrap: 'anywhere' }}>
          {caption}
        </Text>
      )}
      {say('facts', { items: crawlCount ?? 0, pages: pageCount ?? 0, size: bytes(totalSize ?? 0) })}
      {runningUpdatesCount > 0 && (
        <Badge variant="light" tt="none" fw={500} ml="sm" leftSection={<Loader size={10} aria-hidden />}>
          {say('runningUpdates', { count: runningUpdatesCount })}
        </Badge>
      )}
    </>
  );
}

function ReplayTab({ collection, onAdd }: { readonly collection: Collection; readonly onAdd: () => void }) {
  const say = useTexts(collectionsTexts);
  const { canCrawl } = useOrg();
  const { url, ts } = route.useSearch();
  const { oid, id, name, crawlCount, homeUrl, homeUrlTs, modified } = collection;
  if (!crawlCount)
    return (
      <Empty title={say('nothingToReplay')} action={canCrawl && <Button onClick={onAdd}>{say('addItems')}</Button>}>
        {say('nothingToReplayText')}
      </Empty>
    );
  const first = url ? { url, ts } : { url: homeUrl ?? undefined, ts: homeUrlTs };
  return (
    <ReplayFrame
      // Another choice of items is another archive, which the player reads when it starts.
      key={`${String(crawlCount)}-${modified ?? ''}`}
      scope={{ oid, kind: 'collection', id }}
      title={say('replayOf', { name })}
      {...first}
    />
  );
}
