import { Anchor, Badge, Code, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { useTexts, type Say } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { duration, useBytes, When } from '../../ui/format';
import { crawlsTexts } from './crawls.texts';
import type { Workflow } from './queries';

type Word = keyof typeof crawlsTexts.english;
interface SettingRow {
  readonly name: string;
  readonly value: ReactNode;
}
export interface SettingGroup {
  readonly title: string;
  readonly rows: readonly SettingRow[];
}

/** A setting; null and empty ones are not shown. */
type Given = readonly [Word, ReactNode];

/** What is set in a workflow, in the order of its editor. */
export function useSettingGroups(workflow: Workflow): readonly SettingGroup[] {
  const say = useTexts(crawlsTexts);
  const bytes = useBytes();
  const group = (title: Word, given: readonly Given[]): SettingGroup => ({
    title: say(title),
    rows: given.flatMap(([name, value]) => (isSet(value) ? [{ name: say(name), value }] : [])),
  });
  return [
    group('set_scope', scopeOf(workflow, say)),
    group('set_limits', [
      ['set_limit', workflow.config?.limit],
      ['set_maxSize', workflow.maxCrawlSize ? bytes(workflow.maxCrawlSize) : null],
      ['set_timeout', workflow.crawlTimeout ? duration(workflow.crawlTimeout) : null],
      ['set_windows', workflow.browserWindows],
    ]),
    group('set_pages', pagesOf(workflow)),
    group('set_browser', browserOf(workflow, say)),
    group('set_schedule', [
      ['set_cron', workflow.schedule ? <Code key="cron">{workflow.schedule}</Code> : say('set_noSchedule')],
      ['set_nextRun', workflow.nextRun ? <When key="next" at={workflow.nextRun} /> : null],
    ]),
    group('set_about', [
      ['set_description', workflow.description],
      ['set_tags', workflow.tags?.length ? <Tags key="tags" tags={workflow.tags} /> : null],
      [
        'set_collections',
        workflow.autoAddCollections?.length ? <Collections key="c" ids={workflow.autoAddCollections} /> : null,
      ],
      ['set_dedupe', workflow.dedupeCollId ? <Collections key="d" ids={[workflow.dedupeCollId]} /> : null],
      ['set_skipFrom', workflow.dedupeCollId ? skipFrom(workflow) : null],
    ]),
  ].filter(({ rows }) => rows.length > 0);
}

/** As text: 0 is a depth. */
function skipFrom({ config }: Workflow): string | null {
  const depth = config?.dedupePagesMinDepth ?? -1;
  return depth < 0 ? null : String(depth);
}

const isSet = (value: ReactNode): boolean =>
  value !== null && value !== undefined && value !== '' && value !== 0 && value !== false;

function scopeOf({ config }: Workflow, say: Say<Word>): readonly Given[] {
  const scope = config?.scopeType ?? config?.seeds?.[0]?.scopeType;
  const scopeWord = `scope_${scope ?? ''}`;
  const lines = (value: string | readonly string[] | null | undefined): ReactNode =>
    value && value.length > 0 ? <Codes values={[value].flat()} /> : null;
  return [
    ['set_scopeType', scopeWord in crawlsTexts.english ? say(scopeWord as Word) : scope],
    ['set_include', lines(config?.include ?? config?.seeds?.[0]?.include)],
    ['set_exclude', lines(config?.exclude)],
    ['set_depth', (config?.depth ?? -1) > 0 ? config?.depth : null],
    ['set_extraHops', config?.extraHops],
    ['set_sitemap', config?.useSitemap ? say('yes') : null],
    ['set_robots', config?.useRobots ? say('yes') : null],
    ['set_selectLinks', lines(config?.selectLinks)],
    ['set_failOnFailedSeed', config?.failOnFailedSeed ? say('yes') : null],
    ['set_failOnContentCheck', config?.failOnContentCheck ? say('yes') : null],
  ];
}

function pagesOf({ config }: Workflow): readonly Given[] {
  const seconds = (value: number | null | undefined): string | null => (value ? duration(value) : null);
  return [
    ['set_pageLoad', seconds(config?.pageLoadTimeout)],
    ['set_postLoad', seconds(config?.postLoadDelay)],
    ['set_behaviorTime', seconds(config?.behaviorTimeout)],
    ['set_extraDelay', seconds(config?.pageExtraDelay)],
    ['set_behaviors', config?.behaviors ? <Tags key="b" tags={config.behaviors.split(',')} /> : null],
    [
      'set_customBehaviors',
      config?.customBehaviors?.length ? <Codes key="cb" values={config.customBehaviors} /> : null,
    ],
    ['set_clickSelector', config?.clickSelector ? <Code key="click">{config.clickSelector}</Code> : null],
  ];
}

function browserOf(workflow: Workflow, say: Say<Word>): readonly Given[] {
  const { config } = workflow;
  return [
    [
      'set_profile',
      workflow.profileid ? <Profile key="p" id={workflow.profileid} name={workflow.profileName} /> : null,
    ],
    ['set_proxy', workflow.proxyId],
    ['set_channel', workflow.crawlerChannel],
    ['set_lang', config?.lang],
    ['set_userAgent', config?.userAgent],
    ['set_blockAds', config?.blockAds ? say('yes') : null],
    ['set_saveStorage', config?.saveStorage ? say('yes') : null],
  ];
}

const Codes = ({ values }: { readonly values: readonly string[] }) => (
  <Stack gap={4} align="flex-start">
    {values.map((value) => (
      <Code key={value} style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Code>
    ))}
  </Stack>
);

const Tags = ({ tags }: { readonly tags: readonly string[] }) => (
  <Group gap={4}>
    {tags.map((tag) => (
      <Badge key={tag} variant="default" tt="none" fw={500}>
        {tag}
      </Badge>
    ))}
  </Group>
);

function Profile({ id, name }: { readonly id: string; readonly name: string | null | undefined }) {
  const { slug } = useOrg();
  return (
    <Anchor component={Link} to={`/o/${slug}/profiles/${id}`} size="sm">
      {name || id}
    </Anchor>
  );
}

function Collections({ ids }: { readonly ids: readonly string[] }) {
  return (
    <Group gap="xs">
      {ids.map((id) => (
        <CollectionLink key={id} id={id} />
      ))}
    </Group>
  );
}

function CollectionLink({ id }: { readonly id: string }) {
  const { oid, slug } = useOrg();
  const { data } = api.useQuery('get', '/api/orgs/{oid}/collections/{coll_id}', {
    params: { path: { oid, coll_id: id } },
  });
  return (
    <Anchor component={Link} to={`/o/${slug}/collections/${id}`} size="sm" dir="auto">
      {data?.name ?? id}
    </Anchor>
  );
}
