import { Badge, Loader } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import { paced } from '../api/live';
import { useTexts } from '../i18n/texts';
import type { CurrentOrg } from '../session/me';
import { shellTexts } from './shell.texts';

/** How many crawls of the org run, wait or are paused; leads to them. */
export function RunningBadge({ org }: { readonly org: CurrentOrg }) {
  const say = useTexts(shellTexts);
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawlconfigs/running',
    { params: { path: { oid: org.oid } } },
    { refetchInterval: paced.list },
  );
  const count = data?.totalRunningPausedWaiting ?? 0;
  if (count === 0) return null;
  const text = say('running', { count });
  return (
    <Badge
      component={Link}
      to={`/o/${org.slug}/workflows`}
      variant="light"
      size="lg"
      tt="none"
      style={{ cursor: 'pointer' }}
      aria-label={text}
      leftSection={<Loader size={10} aria-hidden />}
    >
      {count}
    </Badge>
  );
}
