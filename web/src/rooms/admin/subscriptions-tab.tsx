import { useQuery } from '@tanstack/react-query';
import { send } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { DataList, type Column } from '../../ui/data-list';
import { When } from '../../ui/format';
import { Empty } from '../../ui/problems';
import { adminTexts } from './admin.texts';
import { useAddress, useOrgNames } from './queries';

/** What the payment service told, or was told. Its routes are in the API's document only where billing is on. */
interface SubscriptionEvent {
  readonly type: string;
  readonly oid: string;
  readonly timestamp: string;
  readonly subId?: string;
  readonly status?: string;
  readonly planId?: string;
}

const PAGE_SIZE = 50;

export function SubscriptionsTab() {
  const say = useTexts(adminTexts);
  const orgOf = useOrgNames();
  const { search, change } = useAddress();
  const { page = 1, sortBy = 'timestamp', dir = -1 } = search;
  const asked = new URLSearchParams({
    page: String(page),
    pageSize: String(PAGE_SIZE),
    sortBy,
    sortDirection: String(dir),
  });
  const query = useQuery({
    queryKey: ['get', '/api/subscriptions/events', String(asked)],
    queryFn: async () =>
      (await send(`/api/subscriptions/events?${String(asked)}`)) as { items: SubscriptionEvent[]; total: number },
  });
  const columns: readonly Column<SubscriptionEvent>[] = [
    {
      id: 'timestamp',
      title: say('when'),
      sortBy: 'timestamp',
      cell: ({ timestamp }) => <When at={timestamp} />,
      csv: ({ timestamp }) => timestamp,
    },
    { id: 'type', title: say('event'), cell: ({ type }) => type, csv: ({ type }) => type },
    {
      id: 'oid',
      title: say('org'),
      sortBy: 'oid',
      cell: ({ oid }) => orgOf(oid)?.name ?? oid,
      csv: ({ oid }) => oid,
    },
    {
      id: 'status',
      title: say('state'),
      sortBy: 'status',
      from: 'sm',
      cell: ({ status }) => status ?? '–',
      csv: ({ status }) => status,
    },
    {
      id: 'planId',
      title: say('plan'),
      sortBy: 'planId',
      from: 'sm',
      cell: ({ planId }) => planId ?? '–',
      csv: ({ planId }) => planId,
    },
    {
      id: 'subId',
      title: say('subscription'),
      sortBy: 'subId',
      from: 'md',
      cell: ({ subId }) => subId ?? '–',
      csv: ({ subId }) => subId,
    },
  ];
  return (
    <DataList<SubscriptionEvent>
      label={say('tab_subscriptions')}
      columns={columns}
      query={query}
      idOf={({ timestamp, oid, type }) => `${timestamp} ${oid} ${type}`}
      nameOf={({ subId, type }) => subId ?? type}
      pageSize={PAGE_SIZE}
      search={search}
      onSearch={change}
      order={{ sortBy: 'timestamp', dir: -1 }}
      empty={<Empty title={say('noSubscriptions')} />}
    />
  );
}
