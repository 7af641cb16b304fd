import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { EVERY } from '../../api/query-client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { StateBadge } from '../../ui/state-badge';
import { crawlsTexts } from './crawls.texts';
import { nameOf, type Crawl } from './queries';
import { ACTIVE_STATES } from './states';

const SHOWN = 5;

/** The crawls whose end would let this one begin, each with its way there. */
export function WaitingFor({ crawl }: { readonly crawl: Crawl }) {
  const say = useTexts(crawlsTexts);
  const { oid, slug } = useOrg();
  const isInLine = crawl.state === 'waiting_org_limit' || crawl.state === 'waiting_capacity';
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls',
    {
      params: {
        path: { oid },
        query: { state: [...ACTIVE_STATES], sortBy: 'started', sortDirection: 1, pageSize: SHOWN + 1 },
      },
    },
    { enabled: isInLine, refetchInterval: EVERY.often },
  );
  const others = data?.items.filter(({ id }) => id !== crawl.id).slice(0, SHOWN) ?? [];
  if (!isInLine || others.length === 0) return null;
  return (
    <div>
      <Text size="sm">{say('activeNow')}</Text>
      <List size="sm">
        {others.map((other) => (
          <List.Item key={other.id}>
            <Anchor component={Link} to={`/o/${slug}/workflows/${other.cid ?? ''}`} size="sm" dir="auto">
              {nameOf(other)}
            </Anchor>{' '}
            <StateBadge state={other.state} />
          </List.Item>
        ))}
      </List>
    </div>
  );
}
