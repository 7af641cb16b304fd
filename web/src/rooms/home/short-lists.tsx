import { Text } from '@mantine/core';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Bytes, When } from '../../ui/format';
import { StateBadge } from '../../ui/state-badge';
import { Card, EntryLink, ShortList } from './card';
import { homeTexts } from './home.texts';
import { FAILED_STATES, useFailedCrawls, useNewestCollections, useNewestItems, useNextRuns } from './queries';

/** What stands at the end of an entry. */
function Aside({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text size="sm" c="dimmed" component="span" style={{ flexShrink: 0 }}>
      {children}
    </Text>
  );
}

export function LastProblems() {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  const failed = useFailedCrawls();
  const all = { to: `/o/${slug}/workflows`, search: { states: FAILED_STATES } };
  return (
    <Card title={say('problemsTitle')} all={failed.data?.total ? all : undefined}>
      <ShortList
        query={failed}
        idOf={({ id }) => id}
        empty={say('noProblems')}
        row={({ cid, name, firstSeed, id, state, started }) => (
          <>
            <EntryLink to={`/o/${slug}/workflows/${cid ?? ''}`} name={name || firstSeed || id} />
            <StateBadge state={state} />
            <Aside>
              <When at={started} />
            </Aside>
          </>
        )}
      />
    </Card>
  );
}

export function NextRuns() {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  const next = useNextRuns();
  const all = { to: `/o/${slug}/workflows`, search: { schedule: 'yes' } };
  return (
    <Card title={say('nextTitle')} all={next.data?.total ? all : undefined}>
      <ShortList
        query={next}
        idOf={({ id }) => id}
        empty={say('nothingScheduled')}
        row={({ id, name, firstSeed, nextRun }) => (
          <>
            <EntryLink to={`/o/${slug}/workflows/${id}`} name={name || firstSeed || id} />
            <Aside>
              <When at={nextRun} />
            </Aside>
          </>
        )}
      />
    </Card>
  );
}

export function NewestItems() {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  const items = useNewestItems();
  return (
    <Card title={say('newestItems')} all={items.data?.total ? { to: `/o/${slug}/items` } : undefined}>
      <ShortList
        query={items}
        idOf={({ id }) => id}
        empty={say('noItems')}
        row={({ id, name, firstSeed, state, fileSize, finished }) => (
          <>
            <EntryLink to={`/o/${slug}/items/${id}`} name={name || firstSeed || id} />
            {state !== 'complete' && <StateBadge state={state} />}
            <Aside>
              <Bytes value={fileSize} />
            </Aside>
            <Aside>
              <When at={finished} />
            </Aside>
          </>
        )}
      />
    </Card>
  );
}

export function NewestCollections() {
  const say = useTexts(homeTexts);
  const { slug } = useOrg();
  const collections = useNewestCollections();
  return (
    <Card title={say('newestCollections')} all={collections.data?.total ? { to: `/o/${slug}/collections` } : undefined}>
      <ShortList
        query={collections}
        idOf={({ id }) => id}
        empty={say('noCollections')}
        row={({ id, name, crawlCount, modified }) => (
          <>
            <EntryLink to={`/o/${slug}/collections/${id}`} name={name} />
            <Aside>{say('collectionItems', { count: crawlCount ?? 0 })}</Aside>
            <Aside>
              <When at={modified} />
            </Aside>
          </>
        )}
      />
    </Card>
  );
}
