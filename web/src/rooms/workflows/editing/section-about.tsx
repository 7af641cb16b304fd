import { MultiSelect, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { api } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { useOrgRecord } from '../../../session/me';
import { editingTexts } from './editing.texts';
import { withUnknown } from './options';
import { Fold, Part, type SectionProps } from './parts';
import { TagsField } from '../../../ui/tags-field';

/** By what the workflow is found, and where its crawls go. */
export function AboutSection({ form, oid }: SectionProps & { readonly oid: string }) {
  const say = useTexts(editingTexts);
  const draft = form.getValues();
  const tags = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/tagCounts', { params: { path: { oid } } });
  const collections = api.useQuery('get', '/api/orgs/{oid}/collections', {
    params: { path: { oid }, query: { pageSize: 1000, sortBy: 'name', sortDirection: 1 } },
  });
  const options = (collections.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isDedupeOn = useOrgRecord()?.featureFlags?.dedupeEnabled ?? false;
  const compared = draft.dedupeCollId;
  return (
    <Part id="about" title={say('about')} lead={say('aboutLead')}>
      <TextInput
        label={say('name')}
        description={say('nameText')}
        maxLength={1000}
        dir="auto"
        {...form.getInputProps('name')}
      />
      <Textarea
        label={say('description')}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={5000}
        dir="auto"
        {...form.getInputProps('description')}
      />
      <TagsField
        label={say('tags')}
        description={say('tagsText')}
        data={(tags.data?.tags ?? []).map(({ tag }) => tag)}
        maxLength={80}
        splitChars={[]}
        acceptValueOnBlur
        {...form.getInputProps('tags')}
      />
      <MultiSelect
        label={say('collections')}
        description={say('collectionsText')}
        data={withUnknown(options, ...draft.autoAddCollections)}
        searchable
        clearable
        hidePickedOptions
        nothingFoundMessage={say('noCollections')}
        {...form.getInputProps('autoAddCollections')}
      />
      {(isDedupeOn || compared !== '') && (
        <Select
          label={say('dedupe')}
          description={say('dedupeText')}
          placeholder={say('dedupeNone')}
          data={withUnknown(options, compared)}
          searchable
          clearable
          nothingFoundMessage={say('noCollections')}
          {...form.getInputProps('dedupeCollId')}
          value={compared || null}
          onChange={(id) => form.setFieldValue('dedupeCollId', id ?? '')}
        />
      )}
      {compared !== '' && (
        <NumberInput
          label={say('skipFrom')}
          description={say('skipFromText')}
          placeholder={say('skipNone')}
          min={0}
          allowDecimal={false}
          {...form.getInputProps('dedupePagesMinDepth')}
        />
      )}
      <Fold title={say('moreAbout')} isForced={form.errors['crawlFilenameTemplate'] != null}>
        <TextInput
          label={say('filename')}
          description={say('filenameText')}
          placeholder={say('usual')}
          ff="monospace"
          spellCheck={false}
          {...form.getInputProps('crawlFilenameTemplate')}
        />
        <Switch
          label={say('shareable')}
          description={say('shareableText')}
          {...form.getInputProps('shareable', { type: 'checkbox' })}
        />
      </Fold>
    </Part>
  );
}
