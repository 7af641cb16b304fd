import { Anchor, Code, Grid, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Facts, type Fact } from './facts';
import { itemsTexts } from './items.texts';
import type { ItemRecord } from './queries';

/** Seeds shown; the whole list is the workflow's. */
const SEEDS = 200;

/** The settings that this crawl ran with, whatever the workflow says today. */
export function SettingsTab({ item }: { readonly item: ItemRecord }) {
  const say = useTexts(itemsTexts);
  const { oid, slug } = useOrg();
  const { data: seeds } = api.useQuery('get', '/api/orgs/{oid}/crawls/{crawl_id}/seeds', {
    params: { path: { oid, crawl_id: item.id }, query: { pageSize: SEEDS } },
  });
  const { seeds: _seeds, ...config } = item.config ?? {};
  const ran: readonly Fact[] = [
    {
      label: say('workflow'),
      value: item.cid && (
        <Anchor component={Link} to={`/o/${slug}/workflows/${item.cid}`} size="sm">
          {say('openWorkflow')}
        </Anchor>
      ),
    },
    { label: say('revision'), value: item.cid_rev ?? null },
    { label: say('windows'), value: item.browserWindows ?? null },
    { label: say('profile'), value: item.profileName },
    { label: say('proxy'), value: item.proxyId },
    { label: say('channel'), value: item.crawlerChannel },
    { label: say('image'), value: item.image && <Code>{item.image}</Code> },
  ];
  const options = Object.entries(config).map(([key, value]) => ({ label: wordsOf(key), value: shown(value, say) }));
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Stack>
          <Paper withBorder p="md">
            <Title order={2} mb="sm">
              {say('settings')}
            </Title>
            <Facts facts={[...ran, ...options]} />
          </Paper>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 6 }}>
        <Paper withBorder p="md">
          <Title order={2} mb="sm">
            {say('seeds')}
          </Title>
          <List size="sm" spacing={4}>
            {(seeds?.items ?? []).map((seed) => (
              <List.Item key={seed.url} style={{ overflowWrap: 'anywhere' }}>
                <bdi>{seed.url}</bdi>
                {seed.scopeType && (
                  <Text span size="xs" c="dimmed" ml={6}>
                    {seed.scopeType}
                  </Text>
                )}
              </List.Item>
            ))}
          </List>
          {(seeds?.total ?? 0) > SEEDS && (
            <Text size="sm" mt="xs">
              {say('seedsMore', { count: (seeds?.total ?? 0) - SEEDS })}
            </Text>
          )}
        </Paper>
      </Grid.Col>
    </Grid>
  );
}

/** `pageLoadTimeout` as `page load timeout`: the option's name as the API and exports have it, to be read. */
const wordsOf = (key: string): string => key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

function shown(value: unknown, say: (key: 'yes' | 'no') => string): ReactNode {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no');
  if (Array.isArray(value))
    return value.length === 0 ? null : (
      <Stack gap={2} align="flex-start">
        {value.map((one, index) => (
          <Code key={index} style={{ overflowWrap: 'anywhere' }}>
            {typeof one === 'string' ? one : JSON.stringify(one)}
          </Code>
        ))}
      </Stack>
    );
  return typeof value === 'object' ? <Code>{JSON.stringify(value)}</Code> : String(value);
}
