import { Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Dialog } from '../../ui/dialogs';
import { Loading, notifyDone, notifyProblem, Problem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { useReread, type Collection } from './queries';

/** Sets the page that replay opens with; null: it opens with a list. */
export function useHome(id: string): (pageId: string | null) => Promise<void> {
  const say = useTexts(collectionsTexts);
  const { oid } = useOrg();
  const reread = useReread();
  return async (pageId) => {
    try {
      await client.POST('/api/orgs/{oid}/collections/{coll_id}/home-url', {
        params: { path: { oid, coll_id: id } },
        body: { pageId },
      });
      await reread();
      notifyDone(say(pageId ? 'homeSet' : 'saved'));
    } catch (error) {
      notifyProblem(error);
    }
  };
}

/** Which page the collection opens with, and the choice of another. */
export function HomePage({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const { canCrawl } = useOrg();
  const setHome = useHome(collection.id);
  const [isChoosing, setChoosing] = useState(false);
  const { homeUrl } = collection;
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2}>{say('homePage')}</Title>
        <Text size="sm" c="dimmed">
          {say(homeUrl ? 'homeText' : 'homeNone')}
        </Text>
        {homeUrl && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {homeUrl}
          </Text>
        )}
        {canCrawl && (
          <Group gap="xs">
            <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
              {say('homeChoose')}
            </Button>
            {homeUrl && (
              <Button size="xs" variant="subtle" onClick={() => void setHome(null)}>
                {say('homeRemove')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      {isChoosing && (
        <PagePicker
          collection={collection}
          onClose={() => setChoosing(false)}
          onPick={(pageId) => void setHome(pageId).then(() => setChoosing(false))}
        />
      )}
    </Paper>
  );
}

interface PickerProps {
  readonly collection: Collection;
  readonly onClose: () => void;
  readonly onPick: (pageId: string) => void;
}

/** Addresses of the collection from a typed beginning on, with all captures of each. */
function PagePicker({ collection, onClose, onPick }: PickerProps) {
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
    <Dialog onClose={onClose} title={say('pickerTitle')} size="lg">
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
  readonly onPick: (pageId: string) => void;
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
        onClick={() => onPick(pageId)}
        style={{ flexShrink: 0 }}
      >
        {say('choose')}
      </Button>
    </Group>
  );
}
