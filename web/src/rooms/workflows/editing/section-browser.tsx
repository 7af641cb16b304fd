import { Autocomplete, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { api } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { editingTexts } from './editing.texts';
import { withUnknown } from './options';
import { Fold, Part, type SectionProps } from './parts';

/** Languages of ISO 639-1 that sites are asked for most; the field takes any other code. */
const LANGUAGES =
  'ar bg bn ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka ko lt lv mk mn ms nb nl pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur uz vi zh'.split(
    ' ',
  );

/** With what browser the pages are visited. */
export function BrowserSection({ form, oid }: SectionProps & { readonly oid: string }) {
  const say = useTexts(editingTexts);
  const params = { params: { path: { oid } } };
  const { profileid, proxyId, crawlerChannel } = form.getValues();
  const profiles = api.useQuery('get', '/api/orgs/{oid}/profiles', {
    params: { path: { oid }, query: { pageSize: 1000, sortBy: 'name', sortDirection: 1 } },
  });
  const proxies = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/crawler-proxies', params).data?.servers ?? [];
  const channels = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/crawler-channels', params).data?.channels ?? [];
  const options = (profiles.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const profile = profiles.data?.items.find(({ id }) => id === profileid);
  const advanced = ['userAgent', 'proxyId', 'crawlerChannel', 'browserWindows', 'failOnContentCheck'];
  return (
    <Part id="browser" title={say('browser')} lead={say('browserLead')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={say('profile')}
          description={say('profileText')}
          placeholder={say('noProfile')}
          data={withUnknown(options, profileid)}
          {...form.getInputProps('profileid')}
          value={profileid || null}
          onChange={(value) => form.setFieldValue('profileid', value ?? '')}
          searchable
          clearable
          nothingFoundMessage={say('noProfiles')}
        />
        <LanguageField form={form} />
        <Windows form={form} />
      </SimpleGrid>
      <Switch
        label={say('blockAds')}
        description={say('blockAdsText')}
        {...form.getInputProps('blockAds', { type: 'checkbox' })}
      />
      <Fold title={say('moreBrowser')} isForced={advanced.some((key) => form.errors[key] != null)}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={say('userAgent')}
            description={say('userAgentText')}
            placeholder={say('usual')}
            {...form.getInputProps('userAgent')}
          />
          {(proxies.length > 0 || proxyId) && (
            <Select
              label={say('proxy')}
              description={profile ? say('proxyOfProfile') : say('proxyText')}
              placeholder={say('noProxy')}
              disabled={profileid !== ''}
              data={proxies.map(({ id, label }) => ({ value: id, label: label || id }))}
              {...form.getInputProps('proxyId')}
              value={(profile ? profile.proxyId : proxyId) || null}
              onChange={(value) => form.setFieldValue('proxyId', value ?? '')}
              clearable
            />
          )}
          {(channels.length > 1 || crawlerChannel !== 'default') && (
            <Select
              label={say('channel')}
              description={say('channelText')}
              data={[...new Set([...channels.map(({ id }) => id), crawlerChannel])]}
              {...form.getInputProps('crawlerChannel')}
              allowDeselect={false}
            />
          )}
        </SimpleGrid>
        <Switch
          label={say('failOnContentCheck')}
          description={say('failOnContentCheckText')}
          {...form.getInputProps('failOnContentCheck', { type: 'checkbox' })}
        />
        <Switch
          label={say('saveStorage')}
          description={say('saveStorageText')}
          {...form.getInputProps('saveStorage', { type: 'checkbox' })}
        />
      </Fold>
    </Part>
  );
}

/** A language by its name; its code is kept. */
function LanguageField({ form }: SectionProps) {
  const say = useTexts(editingTexts);
  const intl = useIntl();
  const { lang } = form.getValues();
  const names = useMemo(() => new Intl.DisplayNames([intl.locale], { type: 'language' }), [intl.locale]);
  const labelOf = (code: string): string => `${names.of(code) ?? code} (${code})`;
  const byLabel = new Map(LANGUAGES.map((code) => [labelOf(code), code]));
  const shown = LANGUAGES.includes(lang) ? labelOf(lang) : lang;
  return (
    <Autocomplete
      label={say('language')}
      description={say('languageText')}
      placeholder={say('usual')}
      data={[...byLabel.keys()].sort((a, b) => a.localeCompare(b, intl.locale))}
      error={form.errors['lang']}
      value={shown}
      onChange={(value) => form.setFieldValue('lang', byLabel.get(value) ?? value)}
      clearable
    />
  );
}

/** How many windows crawl at once: the numbers that whole crawler instances give. */
function Windows({ form }: SectionProps) {
  const say = useTexts(editingTexts);
  const intl = useIntl();
  const { data } = api.useQuery('get', '/api/settings', {}, { staleTime: 600_000 });
  const { browserWindows } = form.getValues();
  const perInstance = data?.numBrowsersPerInstance ?? 1;
  const most = data?.maxBrowserWindows ?? browserWindows;
  const few = Array.from({ length: Math.min(perInstance - 1, most) }, (_, i) => i + 1);
  const many = Array.from({ length: Math.floor(most / perInstance) }, (_, i) => (i + 1) * perInstance);
  const choices = [...new Set([...few, ...many, browserWindows])].sort((a, b) => a - b);
  return (
    <Select
      label={say('windows')}
      description={say('windowsText')}
      data={choices.map((count) => ({ value: String(count), label: intl.formatNumber(count) }))}
      value={String(browserWindows)}
      error={form.errors['browserWindows']}
      onChange={(value) => form.setFieldValue('browserWindows', Number(value ?? browserWindows))}
      allowDeselect={false}
    />
  );
}
