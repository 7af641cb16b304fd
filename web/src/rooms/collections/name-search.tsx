import { Autocomplete } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { collectionsTexts } from './collections.texts';

interface NameSearchProps {
  readonly kind: 'crawl' | 'upload' | 'workflow';
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Offers names and first addresses that hold what is typed; a chosen one filters the list. */
export function NameSearch({ kind, value, onChange }: NameSearchProps) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const [typed, setTyped] = useState(value);
  const path = { oid };
  const isWorkflow = kind === 'workflow';
  const ofItems = api.useQuery(
    'get',
    '/api/orgs/{oid}/all-crawls/search-values',
    { params: { path, query: { crawlType: isWorkflow ? null : kind } } },
    { enabled: !isWorkflow },
  );
  const ofWorkflows = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawlconfigs/search-values',
    { params: { path } },
    { enabled: isWorkflow },
  );
  const { names = [], firstSeeds = [] } = (isWorkflow ? ofWorkflows.data : ofItems.data) ?? {};
  const offered = [...new Set([...names, ...firstSeeds])].filter((one) => one !== '');
  const type = (next: string): void => {
    setTyped(next);
    if (next === '' || offered.includes(next)) onChange(next);
  };
  return (
    <Autocomplete
      aria-label={say('pickSearch')}
      placeholder={say('pickSearch')}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      data={offered}
      limit={8}
      onChange={type}
      clearable
    />
  );
}
