import { Text } from '@mantine/core';
import { useState, type ComponentProps } from 'react';
import { useTexts } from '../../i18n/texts';
import { DataList } from '../../ui/data-list';
import type { ListSearch } from '../../ui/list-search';
import { nameFilter } from './choice';
import { collectionsTexts } from './collections.texts';
import { NameSearch } from './name-search';

const PAGE_SIZE = 10;
type Order = ComponentProps<typeof DataList>['order'];

/** What is looked for in a list to choose from, and how it is asked for. */
export function useChoiceSearch(order: Order) {
  const [search, setSearch] = useState<ListSearch>({});
  const [name, setName] = useState('');
  const { page = 1, sortBy = order.sortBy, dir = order.dir } = search;
  const query = { page, pageSize: PAGE_SIZE, sortBy, sortDirection: dir, ...nameFilter(name) };
  return { order, search, setSearch, name, setName, query };
}

type ListProps<T> = ComponentProps<typeof DataList<T>>;
interface ChoiceListProps<T>
  extends
    Pick<ListProps<T>, 'label' | 'columns' | 'query' | 'nameOf'>,
    Pick<ComponentProps<typeof NameSearch>, 'kind'> {
  readonly lead: string;
  readonly by: ReturnType<typeof useChoiceSearch>;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

/** A list with a search by name and a tick in each row. */
export function ChoiceList<T extends { readonly id: string }>({
  lead,
  kind,
  by: { order, search, setSearch, name, setName },
  chosen,
  onChange,
  ...list
}: ChoiceListProps<T>) {
  const say = useTexts(collectionsTexts);
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {lead}
      </Text>
      <DataList
        {...list}
        idOf={({ id }) => id}
        pageSize={PAGE_SIZE}
        search={search}
        onSearch={(next) => setSearch((old) => ({ ...old, ...next }))}
        order={order}
        filters={
          <NameSearch
            kind={kind}
            value={name}
            onChange={(next) => {
              setName(next);
              setSearch((old) => ({ ...old, page: 1 }));
            }}
          />
        }
        isFiltered={name !== ''}
        onClearFilters={() => setName('')}
        selection={{ ids: chosen, change: onChange, actions: null }}
        empty={
          <Text size="sm" c="dimmed" p="lg" ta="center">
            {say('pickEmpty')}
          </Text>
        }
      />
    </>
  );
}
