import { Anchor, Badge, Button, Group, MultiSelect, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import type { ListSearch } from '../../ui/list-search';
import { Page } from '../../ui/page';
import { Empty } from '../../ui/problems';
import { NewProfile } from './new-profile';
import { ORDER, PAGE_SIZE, useProfileNames, useProfiles, useProfileTags, type Profile } from './queries';
import { profilesTexts } from './profiles.texts';
import type { ProfilesSearch } from './search';

const route = getRouteApi('/member/o/$slug/profiles');

/** Browser profiles of the org: logins and settings that crawls begin with. Viewers may not even see them. */
export function ProfilesPage() {
  const say = useTexts(profilesTexts);
  const { canCrawl } = useOrg();
  if (canCrawl) return <Profiles />;
  return (
    <Page title={say('title')}>
      <Empty title={say('forCrawlers')}>{say('forCrawlersText')}</Empty>
    </Page>
  );
}

function Profiles() {
  const say = useTexts(profilesTexts);
  const { slug } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const query = useProfiles(search);
  const columns = useColumns(slug);
  const change = (next: ProfilesSearch | ListSearch): void => void navigate({ search: (now) => ({ ...now, ...next }) });
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {say('new')}
    </Button>
  );
  return (
    <Page title={say('title')} lead={say('lead')} actions={create}>
      <DataList
        label={say('title')}
        columns={columns}
        query={query}
        idOf={(profile) => profile.id}
        nameOf={(profile) => profile.name}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={change}
        order={ORDER}
        isFiltered={search.name !== undefined || search.tags !== undefined}
        onClearFilters={() => change({ name: undefined, tags: undefined, page: undefined })}
        filters={<Filters search={search} onChange={change} />}
        empty={<Empty title={say('none')}>{say('noneText')}</Empty>}
      />
      {isCreating && <NewProfile onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface FiltersProps {
  readonly search: ProfilesSearch;
  readonly onChange: (next: ProfilesSearch) => void;
}
function Filters({ search, onChange }: FiltersProps) {
  const say = useTexts(profilesTexts);
  const names = useProfileNames();
  const tags = useProfileTags();
  return (
    <Group gap="sm">
      <Select
        aria-label={say('findByName')}
        placeholder={say('findByName')}
        data={[...new Set(names)]}
        value={search.name ?? null}
        searchable
        clearable
        limit={50}
        onChange={(name) => onChange({ name: name ?? undefined, page: undefined })}
        w={{ base: '100%', xs: 260 }}
      />
      {(tags.length > 0 || search.tags) && (
        <MultiSelect
          aria-label={say('tags')}
          placeholder={search.tags ? undefined : say('tags')}
          data={[...new Set([...tags, ...(search.tags ?? [])])]}
          value={[...(search.tags ?? [])]}
          clearable
          onChange={(chosen) => onChange({ tags: chosen.length > 0 ? chosen : undefined, page: undefined })}
          w={{ base: '100%', xs: 260 }}
        />
      )}
    </Group>
  );
}

const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, '');

function useColumns(slug: string): readonly Column<Profile>[] {
  const say = useTexts(profilesTexts);
  return useMemo(
    () => [
      {
        id: 'name',
        title: say('name'),
        sortBy: 'name',
        width: '40%',
        csv: (profile) => profile.name,
        cell: (profile) => (
          <>
            <Anchor component={Link} to={`/o/${slug}/profiles/${profile.id}`} fw={500} size="sm" dir="auto">
              {profile.name}
            </Anchor>
            {profile.description && (
              <Text size="xs" c="dimmed" truncate dir="auto">
                {profile.description}
              </Text>
            )}
          </>
        ),
      },
      {
        id: 'sites',
        title: say('sites'),
        sortBy: 'url',
        from: 'sm',
        width: '25%',
        csv: (profile) => profile.origins.join(' '),
        cell: ({ origins }) => (
          <Text size="sm" truncate>
            {origins.length > 1
              ? say('andMore', { site: hostOf(origins[0] ?? ''), count: origins.length - 1 })
              : hostOf(origins[0] ?? '–')}
          </Text>
        ),
      },
      {
        id: 'tags',
        title: say('tags'),
        from: 'md',
        csv: (profile) => profile.tags?.join(' '),
        cell: ({ tags }) => (
          <Group gap={4}>
            {tags?.map((tag) => (
              <Badge key={tag} variant="default" tt="none" fw={500} dir="auto">
                {tag}
              </Badge>
            ))}
          </Group>
        ),
      },
      {
        id: 'modified',
        title: say('modified'),
        sortBy: 'modified',
        csv: (profile) => profile.modified,
        cell: (profile) => <When at={profile.modified ?? profile.created} />,
      },
      {
        id: 'use',
        title: say('use'),
        from: 'sm',
        csv: (profile) => say(profile.inUse ? 'inUse' : 'notInUse'),
        cell: (profile) => say(profile.inUse ? 'inUse' : 'notInUse'),
      },
    ],
    [say, slug],
  );
}
