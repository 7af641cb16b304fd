import { MultiSelect, SimpleGrid } from '@mantine/core';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { keysTexts } from './keys.texts';

interface Props {
  readonly oid: string;
  readonly workflows: readonly string[];
  readonly collections: readonly string[];
  readonly onChange: (limits: { workflows: string[]; collections: string[] }) => void;
}

/** How many of each are offered, and how many a key may have. */
const OFFERED = 1000;
const MOST = 50;

/** What a key is limited to; nothing chosen: it reaches the whole org. */
export function LimitFields({ oid, workflows, collections, onChange }: Props) {
  const say = useTexts(keysTexts);
  const path = { oid };
  const query = { pageSize: OFFERED, sortBy: 'name', sortDirection: 1 } as const;
  const of = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs', { params: { path, query } });
  const among = api.useQuery('get', '/api/orgs/{oid}/collections', { params: { path, query } });
  const asOptions = (items: readonly { id: string; name?: string | null; firstSeed?: string | null }[] = []) =>
    items.map(({ id, name, firstSeed }) => ({ value: id, label: name || firstSeed || id }));
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <MultiSelect
        label={say('onlyWorkflows')}
        description={say('onlyHelp')}
        data={asOptions(of.data?.items)}
        value={[...workflows]}
        onChange={(next) => onChange({ workflows: next, collections: [...collections] })}
        maxValues={MOST}
        searchable
        clearable
      />
      <MultiSelect
        label={say('onlyCollections')}
        description={say('onlyHelp')}
        data={asOptions(among.data?.items)}
        value={[...collections]}
        onChange={(next) => onChange({ workflows: [...workflows], collections: next })}
        maxValues={MOST}
        searchable
        clearable
      />
    </SimpleGrid>
  );
}
