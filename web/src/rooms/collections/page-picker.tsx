import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { Loading, Problem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import type { Collection } from './queries';

export interface PickedPage {
  readonly pageId: string;
  readonly url: string;
  readonly ts: string | null;
}
interface PickerProps {
  readonly title: string;
  readonly collection: Collection;
  readonly onClose: () => void;
  readonly onPick: (page: PickedPage) => void;
}

/** Addresses of the collection from a typed beginning on, with all captures of each. */
export function PagePicker({ title, collection, onClose, onPick }: PickerProps) {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const [typed, setTyped] = useState('');
  const [urlPrefix] = useDebouncedValue(typed.trim(), 250);
  const { data, error, refetch } = api.useQuery(
    'get',
    '/api/orgs/{oid}/collections/{coll_id}/pageUrlCounts',
    {
      params: {
        path: { oid, coll_id: collection.id },
        query: { pageSize: 20, ...(urlPrefix ? { urlPrefix } : {}) },
      },
    },
    { placeholderData: keepPreviousData },
  );
  const items = data?.items ?? [];
  return (
    <Dialog onClose={onClose} title={title} size="lg">
      <Stack>
        <TextInput
          data-autofocus
          type="search"
          label={say('pickerAddress')}
          description={say('pickerHint')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {error ? <Problem error={error} retry={() => void refetch()} /> : !data && <Loading />}
        {data && items.length === 0 && (
          <Text size="sm" c="dimmed">
            {say('pickerNone')}
          </Text>
        )}
        <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <Address key={item.url} item={item} onPick={onPick} />
          ))}
        </Stack>
      </Stack>
    </Dialog>
  );
}

interface AddressProps {
  readonly item: Schemas['PageUrlCount'];
  readonly onPick: (page: PickedPage) => void;
}
function Address({ item, onPick }: AddressProps) {
  const say = useTexts(collectionsTexts);
  const intl = useIntl();
  const { snapshots = [], url } = item;
  const [pageId, setPageId] = useState(snapshots[0]?.pageId ?? '');
  const dateOf = (ts: string | null | undefined): string =>
    ts ? intl.formatDate(ts, { dateStyle: 'medium', timeStyle: 'short' }) : '–';
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere', minWidth: 0, flex: 1 }}>
        {url}
      </Text>
      {snapshots.length > 1 ? (
        <Select
          aria-label={`${say('capture')}: ${url}`}
          size="xs"
          w={190}
          allowDeselect={false}
          value={pageId}
          onChange={(value) => value && setPageId(value)}
          data={snapshots.map((one) => ({ value: one.pageId, label: dateOf(one.ts) }))}
        />
      ) : (
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          {dateOf(snapshots[0]?.ts)}
        </Text>
      )}
      <Button
        size="xs"
        variant="light"
        aria-label={`${say('choose')}: ${url}`}
        onClick={() => onPick({ pageId, url, ts: snapshots.find((one) => one.pageId === pageId)?.ts ?? null })}
        style={{ flexShrink: 0 }}
      >
        {say('choose')}
      </Button>
    </Group>
  );
}
