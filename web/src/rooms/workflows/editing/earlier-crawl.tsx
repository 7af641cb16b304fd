import { List, Paper, Stack, Text } from '@mantine/core';
import { useDeferredValue, useMemo } from 'react';
import { api } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import type { Draft } from './draft';
import { editingTexts } from './editing.texts';
import { reasonOf } from './field-words';
import { judge, type Verdict } from './scope-rules';

/** Pages that are looked at; the API gives no more at once. */
const LOOKED_AT = 1000;
/** Addresses shown of those that one rule leaves out. */
const SHOWN = 5;

interface Left {
  readonly verdict: Verdict;
  readonly urls: string[];
}

interface EarlierCrawlProps {
  readonly oid: string;
  readonly crawlId: string;
  readonly draft: Draft;
}

/** What the scope and the exclusions would leave out of the pages that the latest crawl has captured. */
export function EarlierCrawl({ oid, crawlId, draft }: EarlierCrawlProps) {
  const say = useTexts(editingTexts);
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/crawls/{crawl_id}/pages',
    { params: { path: { oid, crawl_id: crawlId }, query: { pageSize: LOOKED_AT } } },
    { staleTime: 600_000 },
  );
  const typed = useDeferredValue(draft);
  const urls = useMemo(() => [...new Set((data?.items ?? []).map(({ url }) => url))], [data]);
  const left = useMemo(() => leftOut(typed, urls), [typed, urls]);
  if (urls.length === 0) return null;
  const count = left.reduce((sum, one) => sum + one.urls.length, 0);
  return (
    <Paper withBorder p="sm" radius="sm" bg="var(--mantine-color-default-hover)">
      <Stack gap="xs" aria-live="polite">
        <Text size="sm" fw={500}>
          {say((data?.total ?? 0) > LOOKED_AT ? 'earlierSome' : 'earlier', {
            pages: urls.length,
            kept: urls.length - count,
          })}
        </Text>
        {left.map(({ verdict, urls: gone }) => (
          <div key={`${verdict.rule} ${verdict.by ?? ''}`}>
            <Text size="sm">
              <b>{say('earlierLeft', { count: gone.length })}</b> {reasonOf(say, verdict)}
            </Text>
            <List size="xs" c="dimmed" withPadding>
              {gone.slice(0, SHOWN).map((url) => (
                <List.Item key={url} style={{ overflowWrap: 'anywhere' }}>
                  <bdi>{url}</bdi>
                </List.Item>
              ))}
            </List>
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

/** The addresses that would not be crawled, by the rule that leaves them out; the rule with most of them first. */
function leftOut(draft: Draft, urls: readonly string[]): Left[] {
  const byRule = new Map<string, Left>();
  for (const url of urls) {
    const verdict = judge(draft, url);
    if (verdict.isCrawled) continue;
    const key = `${verdict.rule} ${verdict.by ?? ''}`;
    const known = byRule.get(key);
    if (known) known.urls.push(url);
    else byRule.set(key, { verdict, urls: [url] });
  }
  return [...byRule.values()].sort((a, b) => b.urls.length - a.urls.length);
}
