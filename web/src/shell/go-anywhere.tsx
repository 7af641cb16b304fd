import { ActionIcon, Tooltip } from '@mantine/core';
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../api/client';
import { useTexts } from '../i18n/texts';
import type { CurrentOrg } from '../session/me';
import { PLACES } from './places';
import { shellTexts } from './shell.texts';

/** How many of each kind are offered. */
const OFFERED = 8;

/** ⌘K or Ctrl-K: a field that leads to any page, workflow or collection of the org by its name. */
export function GoAnywhere({ org }: { readonly org: CurrentOrg }) {
  const say = useTexts(shellTexts);
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const actions = useActions(org, query);
  const actionsHere = actions.map(({ id, label, description, to }) => ({
    id,
    label,
    description,
    onClick: () => void navigate({ to }),
  })) satisfies SpotlightActionData[];
  return (
    <>
      <Tooltip label={`${say('goAnywhere')} (⌘K)`}>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={say('goAnywhere')} onClick={spotlight.open}>
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Spotlight
        actions={actionsHere}
        query={query}
        onQueryChange={setQuery}
        nothingFound={say('nothingFound')}
        shortcut={['mod + K']}
        // The key is meant in a field too: an empty org's page begins in one.
        tagsToIgnore={[]}
        triggerOnContentEditable
        scrollable
        maxHeight={420}
        searchProps={{ placeholder: say('goPlaceholder'), leftSection: <IconSearch size={18} aria-hidden /> }}
      />
    </>
  );
}

interface Target {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly to: string;
}

function useActions(org: CurrentOrg, query: string): readonly Target[] {
  const say = useTexts(shellTexts);
  const path = { oid: org.oid };
  const isSearched = query.trim().length > 1;
  const options = { enabled: isSearched, staleTime: 30_000 };
  const workflows = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/search-values', { params: { path } }, options);
  const collections = api.useQuery('get', '/api/orgs/{oid}/collections/search-values', { params: { path } }, options);
  const places = PLACES.filter((place) => place.isOffered(org)).map(({ id, path: rest }) => ({
    id,
    label: say(id),
    description: org.name,
    to: `/o/${org.slug}${rest}`,
  }));
  const named = (kind: 'workflows' | 'collections', names: readonly string[] = []): Target[] =>
    names
      .filter((name) => isSearched && name.toLowerCase().includes(query.trim().toLowerCase()))
      .slice(0, OFFERED)
      .map((name) => ({
        id: `${kind}-${name}`,
        label: name,
        description: say(kind),
        to: `/o/${org.slug}/${kind}?name=${encodeURIComponent(name)}`,
      }));
  return [...places, ...named('workflows', workflows.data?.names), ...named('collections', collections.data?.names)];
}
