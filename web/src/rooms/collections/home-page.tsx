import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { notifyDone, notifyProblem } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { PagePicker } from './page-picker';
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
          title={say('pickerTitle')}
          collection={collection}
          onClose={() => setChoosing(false)}
          onPick={({ pageId }) => void setHome(pageId).then(() => setChoosing(false))}
        />
      )}
    </Paper>
  );
}
