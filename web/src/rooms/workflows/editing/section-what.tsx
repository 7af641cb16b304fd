import {
  Anchor,
  Button,
  FileButton,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
} from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { api, send, withToken } from '../../../api/client';
import { useTexts } from '../../../i18n/texts';
import { sentenceOf } from '../../../ui/problems';
import { addressesOf } from './addresses';
import type { ScopeType } from './draft';
import { EarlierCrawl } from './earlier-crawl';
import { editingTexts } from './editing.texts';
import { Fold, Part, PatternRows, type SectionProps } from './parts';
import { ScopeTester } from './scope-tester';

const SCOPES: readonly ScopeType[] = ['page', 'page-spa', 'prefix', 'host', 'domain', 'custom', 'any'];

interface WhatProps extends SectionProps {
  readonly oid: string;
  /** The crawl against whose pages the scope is held. */
  readonly lastCrawlId?: string | null | undefined;
}

/** Where the crawl starts and how far it goes. */
export function WhatSection({ form, oid, lastCrawlId }: WhatProps) {
  const say = useTexts(editingTexts);
  const draft = form.getValues();
  const isFile = draft.source === 'file';
  const isDeep = !isFile && draft.scopeType !== 'page';
  return (
    <>
      <Part id="what" title={say('what')} lead={say('whatLead')}>
        <SegmentedControl
          aria-label={say('source')}
          transitionDuration={0}
          data={[
            { value: 'list', label: say('sourceList') },
            { value: 'file', label: say('sourceFile') },
          ]}
          value={draft.source}
          onChange={(source) => form.setFieldValue('source', source)}
          w="fit-content"
        />
        {isFile ? <SeedFile form={form} oid={oid} /> : <Addresses form={form} />}
      </Part>
      <Part id="scope" title={say('scope')} lead={say(isFile ? 'scopeOfFile' : 'scopeLead')}>
        {!isFile && (
          <Select
            label={say('scopeType')}
            description={say(`scope_${draft.scopeType}_text`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            data={SCOPES.map((value) => ({ value, label: say(`scope_${value}`) }))}
            {...form.getInputProps('scopeType')}
            allowDeselect={false}
            maw={420}
          />
        )}
        {!isFile && draft.scopeType === 'custom' && (
          <PatternRows
            label={say('include')}
            description={say('includeText')}
            values={draft.include}
            error={form.errors['include']}
            onChange={(include) => form.setFieldValue('include', include)}
          />
        )}
        <Switch
          label={say('extraHop')}
          description={say('extraHopText')}
          checked={draft.extraHops !== ''}
          onChange={(event) => form.setFieldValue('extraHops', event.currentTarget.checked ? 1 : '')}
        />
        {isDeep && (
          <Switch
            label={say('useSitemap')}
            description={say('useSitemapText')}
            {...form.getInputProps('useSitemap', { type: 'checkbox' })}
          />
        )}
        <PatternRows
          label={say('exclude')}
          description={say('excludeText')}
          values={draft.exclude}
          error={form.errors['exclude']}
          onChange={(exclude) => form.setFieldValue('exclude', exclude)}
        />
        <Fold
          title={say('moreScope')}
          isForced={['depth', 'extraHops', 'selectLinks'].some((key) => form.errors[key] != null)}
        >
          {isDeep && (
            <NumberInput
              label={say('depth')}
              description={say('depthText')}
              placeholder={say('noLimit')}
              min={0}
              allowDecimal={false}
              maw={280}
              {...form.getInputProps('depth')}
            />
          )}
          {draft.extraHops !== '' && (
            <NumberInput
              label={say('extraHops')}
              description={say('extraHopsText')}
              min={1}
              allowDecimal={false}
              maw={280}
              {...form.getInputProps('extraHops')}
            />
          )}
          <Switch
            label={say('useRobots')}
            description={say('useRobotsText')}
            {...form.getInputProps('useRobots', { type: 'checkbox' })}
          />
          <Switch
            label={say('failOnFailedSeed')}
            description={say('failOnFailedSeedText')}
            {...form.getInputProps('failOnFailedSeed', { type: 'checkbox' })}
          />
          <Textarea
            label={say('selectLinks')}
            description={say('selectLinksText')}
            autosize
            minRows={1}
            ff="monospace"
            spellCheck={false}
            error={form.errors['selectLinks']}
            value={draft.selectLinks.join('\n')}
            onChange={(event) => form.setFieldValue('selectLinks', event.currentTarget.value.split('\n'))}
          />
        </Fold>
        <ScopeTester draft={draft} />
        {lastCrawlId && !isFile && <EarlierCrawl oid={oid} crawlId={lastCrawlId} draft={draft} />}
      </Part>
    </>
  );
}

function Addresses({ form }: SectionProps) {
  const say = useTexts(editingTexts);
  const { addresses, own } = form.getValues();
  const count = addressesOf(addresses).length;
  const owning = addressesOf(addresses).filter((url) => url in own).length;
  return (
    <Textarea
      label={say('addresses')}
      description={say('addressesText')}
      placeholder="https://example.org/"
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
      required
      withAsterisk={false}
      {...form.getInputProps('addresses')}
      inputContainer={(input) => (
        <>
          {input}
          <Group gap="md" mt={4}>
            <Text size="xs" c="dimmed">
              {say('addressCount', { count })}
            </Text>
            {owning > 0 && (
              <Text size="xs" c="dimmed">
                {say('ownCount', { count: owning })}
              </Text>
            )}
          </Group>
        </>
      )}
    />
  );
}

function SeedFile({ form, oid }: SectionProps & { readonly oid: string }) {
  const say = useTexts(editingTexts);
  const { seedFileId } = form.getValues();
  const [isBusy, setBusy] = useState(false);
  const { data } = api.useQuery(
    'get',
    '/api/orgs/{oid}/files/{file_id}',
    { params: { path: { oid, file_id: seedFileId } } },
    { enabled: seedFileId !== '' },
  );
  const upload = async (file: File | null): Promise<void> => {
    if (!file) return;
    setBusy(true);
    form.clearFieldError('seedFileId');
    try {
      form.setFieldValue('seedFileId', await uploadSeedFile(oid, file.name, file));
    } catch (error) {
      form.setFieldError('seedFileId', sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {say('fileText')}
      </Text>
      {data && seedFileId && (
        <Group gap="xs">
          <Anchor href={withToken(data.path)} size="sm" dir="auto">
            {data.originalFilename}
          </Anchor>
          <Text size="sm" c="dimmed">
            {say('addressCount', { count: data.seedCount ?? 0 })}
            {data.firstSeed ? ` · ${data.firstSeed}` : ''}
          </Text>
        </Group>
      )}
      <Group>
        <FileButton
          accept="text/plain,.txt,.csv"
          onChange={(file) => void upload(file)}
          inputProps={{ 'aria-label': say('chooseFile') }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={isBusy} leftSection={<IconUpload size={16} aria-hidden />}>
              {say(seedFileId ? 'otherFile' : 'chooseFile')}
            </Button>
          )}
        </FileButton>
      </Group>
      {form.errors['seedFileId'] && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {form.errors['seedFileId']}
        </Text>
      )}
    </Stack>
  );
}

/** Stores a list of addresses as a file of the org. @returns its id @throws ApiProblem */
export async function uploadSeedFile(oid: string, name: string, content: Blob): Promise<string> {
  const path = `/api/orgs/${oid}/files/seedFile?filename=${encodeURIComponent(name)}`;
  const answer = (await send(path, { method: 'PUT', body: content })) as { id: string };
  return answer.id;
}
