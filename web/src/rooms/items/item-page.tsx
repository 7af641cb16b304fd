import { ActionIcon, Button, Group, Menu, Tabs } from '@mantine/core';
import {
  IconChecklist,
  IconCopy,
  IconDots,
  IconDownload,
  IconReplace,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { withToken } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { ReplayFrame } from '../../session/replay-frame';
import { Page } from '../../ui/page';
import { Empty, Loading, Problem } from '../../ui/problems';
import { NARROW } from '../../ui/widths';
import { isActive, StateBadge } from '../../ui/state-badge';
import { useDeleteItems } from './delete-items';
import { FilesTab } from './files-tab';
import { itemsTexts } from './items.texts';
import { LogsTab } from './logs-tab';
import { OverviewTab } from './overview-tab';
import { PagesTab } from './pages-tab';
import { nameOf, useItem, type ItemRecord } from './queries';
import { itemSearch, TABS, useAddress, type Tab } from './searches';
import { SettingsTab } from './settings-tab';

/** Tabs that only crawls have: uploads were recorded elsewhere. */
const OF_CRAWLS: ReadonlySet<Tab> = new Set(['logs', 'settings']);

export function ItemPage() {
  const say = useTexts(itemsTexts);
  const { slug, oid } = useOrg();
  const { id = '' } = useParams({ strict: false });
  const { data: item, error, refetch } = useItem(oid, id);
  const [search, change] = useAddress(itemSearch);
  const back = { to: `/o/${slug}/items`, label: say('title') };
  if (!item)
    return (
      <Page title={say('title')} back={back}>
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Loading />}
      </Page>
    );
  const tab = search.tab ?? 'overview';
  const tabs = TABS.filter((one) => item.type === 'crawl' || !OF_CRAWLS.has(one));
  return (
    <Page
      title={nameOf(item)}
      back={back}
      aside={<StateBadge state={item.state} />}
      actions={<ItemActions item={item} slug={slug} />}
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          change({
            tab: next === 'overview' ? undefined : (next as Tab),
            search: undefined,
            only: undefined,
            sortBy: undefined,
            dir: undefined,
          })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {say(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {one === tab && <TabContent tab={one} item={item} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}

function TabContent({ tab, item }: { readonly tab: Tab; readonly item: ItemRecord }) {
  switch (tab) {
    case 'overview':
      return <OverviewTab item={item} />;
    case 'replay':
      return <ReplayTab item={item} />;
    case 'pages':
      return <PagesTab item={item} />;
    case 'files':
      return <FilesTab item={item} />;
    case 'logs':
      return <LogsTab item={item} />;
    case 'settings':
      return <SettingsTab item={item} />;
  }
}

function ReplayTab({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const [search] = useAddress(itemSearch);
  if (!item.resources?.length) return <Empty title={say('noFilesTitle')}>{say('noFiles')}</Empty>;
  return (
    <ReplayFrame
      scope={{ oid: item.oid, kind: 'item', id: item.id }}
      url={search.url}
      ts={search.ts}
      title={`${say('replay')}: ${nameOf(item)}`}
    />
  );
}

function ItemActions({ item, slug }: { readonly item: ItemRecord; readonly slug: string }) {
  const say = useTexts(itemsTexts);
  const { oid, canCrawl } = useOrg();
  const navigate = useNavigate();
  const deleteItems = useDeleteItems();
  const download = (extra = ''): string =>
    withToken(`/api/orgs/${oid}/all-crawls/${encodeURIComponent(item.id)}/download?preferSingleWACZ=true${extra}`);
  const hasFiles = (item.resources?.length ?? 0) > 0;
  const leaveIfDeleted = async (): Promise<void> => {
    if (await deleteItems([item])) await navigate({ to: `/o/${slug}/items`, replace: true });
  };
  return (
    <Group gap="xs">
      {item.type === 'crawl' && hasFiles && (
        <Button
          component={Link}
          to={`/o/${slug}/items/${item.id}/qa`}
          px={NARROW}
          variant="default"
          leftSection={<IconChecklist size={16} aria-hidden />}
        >
          {say('qa')}
        </Button>
      )}
      {hasFiles && (
        <Button
          component="a"
          href={download()}
          px={NARROW}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {say('download')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={say('moreActions')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {item.cid && (
            <Menu.Item
              component={Link}
              to={`/o/${slug}/workflows/${item.cid}`}
              leftSection={<IconRoute size={16} aria-hidden />}
            >
              {say('openWorkflow')}
            </Menu.Item>
          )}
          {(item.requiresCrawls?.length ?? 0) > 0 && (
            <Menu.Item
              component="a"
              href={withToken(`/api/orgs/${oid}/all-crawls/${encodeURIComponent(item.id)}/download/wacz`)}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {say('downloadWithDeps')}
            </Menu.Item>
          )}
          {hasFiles && (
            <Menu.Item
              component="a"
              href={withToken(`/api/orgs/${oid}/all-crawls/${encodeURIComponent(item.id)}/download/warc`)}
              leftSection={<IconDownload size={16} aria-hidden />}
            >
              {say('downloadWarc')}
            </Menu.Item>
          )}
          {canCrawl && item.type === 'upload' && !isActive(item.state) && (
            <Menu.Item
              component={Link}
              to={`/o/${slug}/uploads`}
              search={{ replace: item.id } as never}
              leftSection={<IconReplace size={16} aria-hidden />}
            >
              {say('replaceFile')}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void navigator.clipboard.writeText(item.id)}
          >
            {say('copyId')}
          </Menu.Item>
          {canCrawl && (
            <Menu.Item
              color="red"
              disabled={isActive(item.state)}
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => void leaveIfDeleted()}
            >
              {say('delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
