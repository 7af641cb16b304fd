import { Autocomplete, CloseButton, Group, MultiSelect, Pill, Select, Switch } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import type { CurrentOrg } from '../../session/me';
import { uiTexts } from '../../ui/ui.texts';
import { HALF } from '../../ui/widths';
import type { WorkflowSearch } from './workflow-search';
import { workflowsTexts } from './workflows.texts';

/** How the last crawl of a workflow may have ended, or be; the rarer kinds are found by their group. */
const STATES = [
  'running',
  'starting',
  'waiting_capacity',
  'waiting_org_limit',
  'paused',
  'complete',
  'stopped_by_user',
  'stopped_storage_quota_reached',
  'stopped_time_quota_reached',
  'canceled',
  'failed',
  'failed_not_logged_in',
  'skipped_storage_quota_reached',
  'skipped_time_quota_reached',
] as const;
const OFFERED = 12;

export interface FilterProps {
  readonly org: CurrentOrg;
  readonly search: WorkflowSearch;
  readonly change: (change: Partial<{ [K in keyof WorkflowSearch]: WorkflowSearch[K] | undefined }>) => void;
}

/** What the list can be narrowed by; it stands in the address. */
export function WorkflowFilters({ org, search, change }: FilterProps) {
  const say = useTexts(workflowsTexts);
  const ui = useTexts(uiTexts);
  const path = { oid: org.oid };
  const tagCounts = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/tagCounts', { params: { path } });
  const tags = new Set([...(tagCounts.data?.tags ?? []).map(({ tag }) => tag), ...(search.tags ?? [])]);
  const states = [...new Set<string>([...STATES, ...(search.states ?? [])])];
  const stateText = (state: string): string =>
    `state_${state}` in uiTexts.english ? ui(`state_${state}` as 'state_running') : state;
  return (
    <Group gap="xs" align="center">
      <SearchField org={org} search={search} change={change} />
      <MultiSelect
        aria-label={say('filterStates')}
        placeholder={search.states ? undefined : say('filterStates')}
        data={states.map((state) => ({ value: state, label: stateText(state) }))}
        value={[...(search.states ?? [])]}
        onChange={(states) => change({ states: states.length > 0 ? states : undefined })}
        clearable
        searchable
        w={{ base: HALF, xs: 220 }}
      />
      {tags.size > 0 && (
        <MultiSelect
          aria-label={say('filterTags')}
          placeholder={search.tags ? undefined : say('filterTags')}
          data={[...tags]}
          value={[...(search.tags ?? [])]}
          onChange={(tags) => change({ tags: tags.length > 0 ? tags : undefined })}
          clearable
          searchable
          w={{ base: HALF, xs: 180 }}
        />
      )}
      {(search.tags?.length ?? 0) > 1 && (
        <Switch
          label={say('anyTag')}
          checked={search.anyTag === true}
          onChange={(event) => change({ anyTag: event.currentTarget.checked || undefined })}
        />
      )}
      <Select
        aria-label={say('filterSchedule')}
        placeholder={say('filterSchedule')}
        data={[
          { value: 'yes', label: say('scheduled') },
          { value: 'no', label: say('unscheduled') },
        ]}
        value={search.schedule ?? null}
        onChange={(schedule) => change({ schedule: schedule ?? undefined })}
        clearable
        w={{ base: HALF, xs: 180 }}
      />
      <Switch
        label={say('filterRunning')}
        checked={search.running === true}
        onChange={(event) => change({ running: event.currentTarget.checked || undefined })}
      />
      <Switch
        label={say('filterMine')}
        checked={search.mine === true}
        onChange={(event) => change({ mine: event.currentTarget.checked || undefined })}
      />
      {search.profile && (
        <Pill withRemoveButton onRemove={() => change({ profile: undefined })}>
          {say('filterProfile', { name: search.profile })}
        </Pill>
      )}
    </Group>
  );
}

/** Offers names and first addresses that hold what is typed; the API finds workflows by whole ones. */
function SearchField({ org, search, change }: FilterProps) {
  const say = useTexts(workflowsTexts);
  const ui = useTexts(uiTexts);
  const chosen = search.name ?? search.firstSeed ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawlconfigs/search-values',
    { params: { path: { oid: org.oid } } },
    { enabled: typed !== null, staleTime: 30_000 },
  );
  const holds = (text: string): boolean => text.toLowerCase().includes((typed ?? '').trim().toLowerCase());
  const names = [...new Set(data?.names ?? [])].filter(holds).slice(0, OFFERED);
  const seeds = [...new Set(data?.firstSeeds ?? [])]
    .filter((seed) => holds(seed) && !names.includes(seed))
    .slice(0, OFFERED);
  const choose = (value: string): void => {
    const isName = data?.names.includes(value) ?? false;
    change({ name: isName ? value : undefined, firstSeed: isName || !value ? undefined : value });
    setTyped(null);
  };
  return (
    <Autocomplete
      aria-label={say('search')}
      placeholder={say('search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        chosen || typed ? (
          <CloseButton size="sm" aria-label={ui('clearFilters')} onClick={() => choose('')} />
        ) : undefined
      }
      data={[
        { group: say('name'), items: names },
        { group: say('address'), items: seeds },
      ].filter(({ items }) => items.length > 0)}
      filter={({ options }) => options}
      value={typed ?? chosen}
      onFocus={() => setTyped(chosen)}
      onBlur={() => setTyped(null)}
      onChange={setTyped}
      onOptionSubmit={choose}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        choose([...names, ...seeds].find((text) => text === typed) ?? names[0] ?? seeds[0] ?? typed ?? '');
      }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}
