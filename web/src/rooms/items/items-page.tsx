import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsDiff, IconUpload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useMe, useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { Bytes, Count, When } from '../../ui/format';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/problems';
import { StateBadge } from '../../ui/state-badge';
import { BulkActions } from './bulk-actions';
import { ReviewBadge, Tags, TypeIcon } from './item-badges';
import { ItemFilters, isFiltered, NO_FILTERS } from './item-filters';
import { itemsTexts } from './items.texts';
import { DEFAULT_ORDER, nameOf, PAGE_SIZE, useItems, type Item } from './queries';
import { SavedViews } from './saved-views';
import { itemsSearch, useAddress } from './searches';

/** Tags shown in a row. */
const TAGS_SHOWN = 2;

export function ItemsPage() {
  const say = useTexts(itemsTexts);
  const org = useOrg();
  const me = useMe();
  const [search, change] = useAddress(itemsSearch);
  const query = useItems(org.oid, search, me?.id);
  const columns = useColumns(org.slug);
  const [selected, setSelected] = useState<ReadonlyMap<string, Item>>(new Map());
  const select = (ids: ReadonlySet<string>): void => {
    const known = new Map([...selected, ...(query.data?.items ?? []).map((item) => [item.id, item] as const)]);
    setSelected(new Map([...ids].flatMap((id) => (known.has(id) ? [[id, known.get(id) as Item]] : []))));
  };
  const chosen = [...selected.values()];
  const selection = {
    ids: new Set(selected.keys()),
    change: select,
    actions: (
      <Group gap="xs">
        <CompareButton items={chosen} slug={org.slug} />
        <BulkActions items={chosen} onDone={() => setSelected(new Map())} />
      </Group>
    ),
  };
  return (
    <Page
      title={say('title')}
      actions={
        <>
          <SavedViews oid={org.oid} search={search} onOpen={(view) => change({ ...NO_FILTERS, ...view })} />
          {org.canCrawl && (
            <Button
              component={Link}
              to={`/o/${org.slug}/uploads`}
              variant="default"
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {say('newUpload')}
            </Button>
          )}
        </>
      }
    >
      <DataList
        label={say('title')}
        columns={columns}
        query={query}
        idOf={(item) => item.id}
        nameOf={nameOf}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={DEFAULT_ORDER}
        filters={<ItemFilters search={search} onChange={change} />}
        isFiltered={isFiltered(search)}
        onClearFilters={() => change(NO_FILTERS)}
        selection={org.canCrawl ? selection : undefined}
        empty={
          <Empty
            title={say('empty')}
            action={
              org.canCrawl && (
                <Button component={Link} to={`/o/${org.slug}/workflows/new`}>
                  {say('newWorkflow')}
                </Button>
              )
            }
          >
            {say('emptyText')}
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(slug: string): readonly Column<Item>[] {
  const say = useTexts(itemsTexts);
  return useMemo(
    () => [
      {
        id: 'name',
        title: say('name'),
        width: '40%',
        cell: (item) => <NameCell item={item} slug={slug} />,
        csv: nameOf,
      },
      {
        id: 'state',
        title: say('state'),
        from: 'sm',
        cell: (item) => <StateBadge state={item.state} />,
        csv: (item) => item.state,
      },
      {
        id: 'finished',
        title: say('finished'),
        sortBy: 'finished',
        cell: (item) => <When at={item.finished} />,
        csv: (item) => item.finished,
      },
      {
        id: 'pages',
        title: say('pages'),
        align: 'end',
        from: 'md',
        cell: (item) => <Count value={item.pageCount} />,
        csv: (item) => item.pageCount,
      },
      {
        id: 'size',
        title: say('size'),
        sortBy: 'fileSize',
        align: 'end',
        from: 'sm',
        cell: (item) => <Bytes value={item.fileSize} />,
        csv: (item) => item.fileSize,
      },
      {
        id: 'review',
        title: say('review'),
        sortBy: 'reviewStatus',
        from: 'lg',
        cell: (item) => <ReviewBadge rating={item.reviewStatus} />,
        csv: (item) => item.reviewStatus,
      },
      {
        id: 'tags',
        title: say('tags'),
        from: 'lg',
        cell: (item) => <Tags tags={item.tags ?? []} max={TAGS_SHOWN} />,
        csv: (item) => item.tags?.join(' '),
      },
    ],
    [say, slug],
  );
}

function NameCell({ item, slug }: { readonly item: Item; readonly slug: string }) {
  const name = nameOf(item);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TypeIcon type={item.type} />
      <Stack gap={0} style={{ minWidth: 0 }}>
        <Anchor component={Link} to={`/o/${slug}/items/${item.id}`} fw={500} size="sm" dir="auto" truncate title={name}>
          {name}
        </Anchor>
        {item.name && item.firstSeed && (
          <Text size="xs" c="dimmed" truncate dir="ltr" ta="start">
            {item.firstSeed}
          </Text>
        )}
      </Stack>
    </Group>
  );
}

/** Two crawls of one workflow can be compared: the older one first. */
function CompareButton({ items, slug }: { readonly items: readonly Item[]; readonly slug: string }) {
  const say = useTexts(itemsTexts);
  const [a, b] = [...items].sort((one, other) => one.started.localeCompare(other.started));
  if (items.length !== 2 || !a?.cid || !b || a.cid !== b.cid) return null;
  return (
    <Button
      component={Link}
      to={`/o/${slug}/items/compare?a=${encodeURIComponent(a.id)}&b=${encodeURIComponent(b.id)}`}
      size="compact-sm"
      variant="default"
      leftSection={<IconArrowsDiff size={14} aria-hidden />}
    >
      {say('compare')}
    </Button>
  );
}
