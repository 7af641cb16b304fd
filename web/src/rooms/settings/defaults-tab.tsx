import { Button, Group, NumberInput, Select, SimpleGrid, Switch, Textarea, TextInput, Title } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { api, client, type Schemas } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { Section } from '../../ui/section';
import { useChange, usePath, type OrgRecord } from './queries';
import { settingsTexts } from './settings.texts';

const NUMBERS = [
  'crawlTimeout',
  'maxCrawlSize',
  'pageLoadTimeout',
  'postLoadDelay',
  'behaviorTimeout',
  'pageExtraDelay',
] as const;
/** How many of the API's units (seconds, bytes) one of the form's is. */
const UNIT: Readonly<Partial<Record<(typeof NUMBERS)[number], number>>> = {
  crawlTimeout: 60,
  maxCrawlSize: 1_000_000_000,
};
const TEXTS = ['profileid', 'crawlerChannel', 'proxyId', 'lang', 'userAgent', 'dedupeCollId'] as const;
const LISTS = ['exclude', 'customBehaviors'] as const;

type Values = Record<(typeof NUMBERS)[number], number | ''> &
  Record<(typeof TEXTS)[number] | (typeof LISTS)[number], string> & { blockAds: boolean };

function valuesOf(defaults: Schemas['CrawlConfigDefaults']): Values {
  const numbers = NUMBERS.map((name) => {
    const value = defaults[name];
    return [name, value == null ? '' : value / (UNIT[name] ?? 1)];
  });
  const texts = TEXTS.map((name) => [name, defaults[name] ?? '']);
  const lists = LISTS.map((name) => [name, (defaults[name] ?? []).join('\n')]);
  return {
    ...(Object.fromEntries([...numbers, ...texts, ...lists]) as Values),
    blockAds: defaults.blockAds ?? false,
  };
}

/** A field that is empty is not sent: the API stores the body as a whole, and then has no default of it. */
function defaultsOf(values: Values): Schemas['CrawlConfigDefaults'] {
  const numbers = NUMBERS.flatMap((name) => {
    const value = values[name];
    return value === '' ? [] : [[name, Math.round(value * (UNIT[name] ?? 1))]];
  });
  const texts = TEXTS.flatMap((name) => (values[name] ? [[name, values[name]]] : []));
  const lists = LISTS.flatMap((name) => {
    const lines = values[name].split('\n').flatMap((line) => line.trim() || []);
    return lines.length > 0 ? [[name, lines]] : [];
  });
  const entries = Object.fromEntries([...numbers, ...texts, ...lists]) as Schemas['CrawlConfigDefaults'];
  return { ...entries, ...(values.blockAds ? { blockAds: true } : {}) };
}

/** What a new workflow of the org begins with. */
export function DefaultsTab({ record }: { readonly record: OrgRecord }) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const change = useChange();
  const form = useForm({ initialValues: valuesOf(record.crawlingDefaults ?? {}) });
  const save = form.onSubmit(async (values) => {
    const body = defaultsOf(values);
    if (await change(() => client.POST('/api/orgs/{oid}/defaults/crawling', { params, body }))) form.resetDirty();
  });
  return (
    <Section title={say('defaults')} lead={say('defaultsLead')} isNarrow>
      <form onSubmit={save}>
        <Title order={3} mt="xs">
          {say('limits')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
          {NUMBERS.map((name) => (
            <NumberInput
              key={name}
              label={say(`default_${name}`)}
              placeholder={say('notSet')}
              min={0}
              decimalScale={2}
              {...form.getInputProps(name)}
              onChange={(value) => form.setFieldValue(name, value === '' ? '' : Number(value))}
            />
          ))}
        </SimpleGrid>
        <Title order={3} mt="lg">
          {say('browser')}
        </Title>
        <BrowserFields form={form} isDedupeOn={record.featureFlags?.dedupeEnabled ?? false} />
        <Title order={3} mt="lg">
          {say('scope')}
        </Title>
        <Textarea
          mt="xs"
          label={say('default_exclude')}
          description={say('excludeHelp')}
          autosize
          minRows={2}
          maxRows={12}
          {...form.getInputProps('exclude')}
        />
        <Textarea
          mt="sm"
          label={say('default_customBehaviors')}
          description={say('behaviorsHelp')}
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('customBehaviors')}
        />
        <Group mt="md">
          <Button type="submit" disabled={!form.isDirty()}>
            {say('saveDefaults')}
          </Button>
        </Group>
      </form>
    </Section>
  );
}

interface BrowserFieldsProps {
  readonly form: UseFormReturnType<Values>;
  readonly isDedupeOn: boolean;
}

function BrowserFields({ form, isDedupeOn }: BrowserFieldsProps) {
  const say = useTexts(settingsTexts);
  const params = usePath();
  const once = { staleTime: 60_000 };
  const profiles = api.useQuery(
    'get',
    '/api/orgs/{oid}/profiles',
    { params: { ...params, query: { pageSize: 1000 } } },
    once,
  );
  const channels = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/crawler-channels', { params }, once);
  const proxies = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/crawler-proxies', { params }, once);
  const collections = api.useQuery(
    'get',
    '/api/orgs/{oid}/collections',
    { params: { ...params, query: { pageSize: 1000 } } },
    { ...once, enabled: isDedupeOn },
  );
  const choice = (name: (typeof TEXTS)[number], data: { value: string; label: string }[]) => (
    <Select
      label={say(`default_${name}`)}
      placeholder={say('notSet')}
      data={data}
      clearable
      searchable
      {...form.getInputProps(name)}
      value={form.values[name] || null}
      onChange={(value) => form.setFieldValue(name, value ?? '')}
    />
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
        {choice(
          'profileid',
          (profiles.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        )}
        {choice(
          'crawlerChannel',
          (channels.data?.channels ?? []).map(({ id }) => ({ value: id, label: id })),
        )}
        {choice(
          'proxyId',
          (proxies.data?.servers ?? []).map(({ id, label }) => ({ value: id, label: label || id })),
        )}
        {isDedupeOn &&
          choice(
            'dedupeCollId',
            (collections.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
          )}
        <TextInput label={say('default_lang')} placeholder="en" maxLength={8} {...form.getInputProps('lang')} />
        <TextInput label={say('default_userAgent')} placeholder={say('notSet')} {...form.getInputProps('userAgent')} />
      </SimpleGrid>
      <Switch mt="md" label={say('default_blockAds')} {...form.getInputProps('blockAds', { type: 'checkbox' })} />
    </>
  );
}
