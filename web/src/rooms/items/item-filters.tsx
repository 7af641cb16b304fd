import { Checkbox, Group, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { uiTexts } from '../../ui/ui.texts';
import { HALF } from '../../ui/widths';
import { itemsTexts } from './items.texts';
import { reviewWord } from './item-badges';
import { GOOD_STATES } from '../../ui/states';
import { OTHER_STATES, useCollections, useTagCounts } from './queries';
import type { ItemsSearch } from './searches';

/** A change that takes every filter away, and leaves the order. */
export const NO_FILTERS = {
  type: undefined,
  name: undefined,
  firstSeed: undefined,
  id: undefined,
  state: undefined,
  tags: undefined,
  tagMatch: undefined,
  collection: undefined,
  review: undefined,
  mine: undefined,
  workflow: undefined,
} as const satisfies Partial<ItemsSearch>;

export const isFiltered = (search: ItemsSearch): boolean =>
  Object.keys(NO_FILTERS).some((key) => search[key as keyof typeof NO_FILTERS] !== undefined);

interface FiltersProps {
  readonly search: ItemsSearch;
  readonly onChange: (change: Partial<ItemsSearch>) => void;
}

export function ItemFilters({ search, onChange }: FiltersProps) {
  const say = useTexts(itemsTexts);
  const types = [
    { value: 'all', label: say('all') },
    { value: 'crawl', label: say('crawls') },
    { value: 'upload', label: say('uploads') },
  ];
  return (
    <Group gap="xs" align="center">
      <SegmentedControl
        transitionDuration={0}
        size="sm"
        aria-label={say('type')}
        data={types}
        value={search.type ?? 'all'}
        onChange={(type) => onChange({ type: type === 'all' ? undefined : (type as 'crawl' | 'upload') })}
      />
      <FindField search={search} onChange={onChange} />
      <StateField search={search} onChange={onChange} />
      <TagsField search={search} onChange={onChange} />
      <CollectionField search={search} onChange={onChange} />
      <ReviewField search={search} onChange={onChange} />
      <Checkbox
        label={say('mine')}
        checked={search.mine ?? false}
        onChange={(event) => onChange({ mine: event.currentTarget.checked || undefined })}
      />
    </Group>
  );
}

const KINDS = { name: 'names', firstSeed: 'firstSeeds', id: 'ids' } as const;
type Kind = keyof typeof KINDS;
/** Options offered at once; more are found by typing. */
const OFFERED = 60;

/** One field for names, first addresses and ids, as the items have them. */
function FindField({ search, onChange }: FiltersProps) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const query = search.type ? { crawlType: search.type } : {};
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls/search-values',
    { params: { path: { oid }, query } },
    { staleTime: 30_000 },
  );
  const kinds = Object.keys(KINDS) as Kind[];
  const current = kinds.find((kind) => search[kind] !== undefined);
  const groups = useMemo(
    () =>
      (Object.keys(KINDS) as Kind[]).map((kind) => {
        const chosen = search[kind];
        const values = new Set([...(chosen ? [chosen] : []), ...(data?.[KINDS[kind]] ?? [])]);
        values.delete('');
        return {
          group: say(KINDS[kind]),
          items: [...values].map((value) => ({ value: `${kind}:${value}`, label: value })),
        };
      }),
    [data, search, say],
  );
  return (
    <Select
      aria-label={say('find')}
      placeholder={say('findPlaceholder')}
      leftSection={<IconSearch size={16} aria-hidden />}
      data={groups.filter(({ items }) => items.length > 0)}
      limit={OFFERED}
      searchable
      clearable
      w={{ base: '100%', xs: 260 }}
      value={current ? `${current}:${search[current] ?? ''}` : null}
      onChange={(value) => {
        const [kind = '', ...rest] = (value ?? '').split(':');
        onChange({ name: undefined, firstSeed: undefined, id: undefined, ...(kind ? { [kind]: rest.join(':') } : {}) });
      }}
    />
  );
}

function StateField({ search, onChange }: FiltersProps) {
  const say = useTexts(itemsTexts);
  const sayState = useTexts(uiTexts);
  const data = [...GOOD_STATES, ...OTHER_STATES].map((state) => ({ value: state, label: sayState(`state_${state}`) }));
  return (
    <MultiSelect
      aria-label={say('state')}
      placeholder={search.state ? undefined : say('anyState')}
      data={data}
      clearable
      w={{ base: HALF, xs: 200 }}
      value={[...(search.state ?? [])]}
      onChange={(state) => onChange({ state: state.length > 0 ? state : undefined })}
    />
  );
}

function TagsField({ search, onChange }: FiltersProps) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const { data } = useTagCounts(oid);
  const chosen = search.tags ?? [];
  const options = [
    ...(data?.tags ?? []).map(({ tag, count }) => ({ value: tag, label: `${tag} (${String(count)})` })),
    ...chosen
      .filter((tag) => !data?.tags.some((known) => known.tag === tag))
      .map((tag) => ({ value: tag, label: tag })),
  ];
  return (
    <>
      <MultiSelect
        aria-label={say('tags')}
        placeholder={chosen.length > 0 ? undefined : say('tags')}
        data={options}
        limit={OFFERED}
        searchable
        clearable
        w={{ base: HALF, xs: 190 }}
        value={[...chosen]}
        onChange={(tags) => onChange({ tags: tags.length > 0 ? tags : undefined })}
      />
      {chosen.length > 1 && (
        <Checkbox
          label={say('allTags')}
          checked={search.tagMatch !== 'or'}
          onChange={(event) => onChange({ tagMatch: event.currentTarget.checked ? undefined : 'or' })}
        />
      )}
    </>
  );
}

function CollectionField({ search, onChange }: FiltersProps) {
  const say = useTexts(itemsTexts);
  const { oid } = useOrg();
  const { data } = useCollections(oid);
  return (
    <Select
      aria-label={say('collection')}
      placeholder={say('anyCollection')}
      data={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      limit={OFFERED}
      searchable
      clearable
      w={{ base: HALF, xs: 190 }}
      value={search.collection ?? null}
      onChange={(collection) => onChange({ collection: collection ?? undefined })}
    />
  );
}

function ReviewField({ search, onChange }: FiltersProps) {
  const say = useTexts(itemsTexts);
  const data = [
    { value: '1-5', label: say('reviewed') },
    { value: '4-5', label: say('goodOrBetter') },
    { value: '1-2', label: say('poorOrWorse') },
    ...[5, 4, 3, 2, 1].map((rating) => ({ value: String(rating), label: say(reviewWord(rating)) })),
  ];
  return (
    <Select
      aria-label={say('review')}
      placeholder={say('anyReview')}
      data={data}
      clearable
      w={{ base: HALF, xs: 170 }}
      value={search.review ?? null}
      onChange={(review) => onChange({ review: review ?? undefined })}
    />
  );
}
