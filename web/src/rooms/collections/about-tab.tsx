import {
  Box,
  Button,
  Grid,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { useConfirm } from '../../ui/confirm';
import { Markdown } from '../../ui/markdown';
import { notifyDone, notifyProblem, sentenceOf } from '../../ui/problems';
import { collectionsTexts } from './collections.texts';
import { HomePage } from './home-page';
import { Picture } from './picture';
import { useChange, type Collection } from './queries';

/** Texts, picture and home page of a collection. */
export function AboutTab({ collection }: { readonly collection: Collection }) {
  const { canCrawl } = useOrg();
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, md: 8 }}>
        {canCrawl ? <TextsForm collection={collection} /> : <Description text={collection.description} />}
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack>
          <Picture collection={collection} />
          <HomePage collection={collection} />
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Description({ text }: { readonly text: string | null | undefined }) {
  const say = useTexts(collectionsTexts);
  return text ? <Markdown text={text} /> : <Text c="dimmed">{say('noDescription')}</Text>;
}

type Fields = Record<'name' | 'slug' | 'caption' | 'description', string>;
const fieldsOf = ({ name, slug, caption, description }: Collection): Fields => ({
  name,
  slug,
  caption: caption ?? '',
  description: description ?? '',
});

function TextsForm({ collection }: { readonly collection: Collection }) {
  const say = useTexts(collectionsTexts);
  const form = useForm<Fields>({ mode: 'controlled', initialValues: fieldsOf(collection) });
  const { isBusy, submit } = useSave(collection, form);
  useGuard(() => form.isDirty());
  const { slug } = useOrg();
  return (
    <Paper withBorder p="md" component="form" onSubmit={form.onSubmit((values) => void submit(values))}>
      <Stack>
        <Title order={2}>{say('aboutText')}</Title>
        <TextInput label={say('name')} required maxLength={80} dir="auto" {...form.getInputProps('name')} />
        <TextInput
          label={say('caption')}
          description={say('captionHint')}
          maxLength={1000}
          dir="auto"
          {...form.getInputProps('caption')}
        />
        <DescriptionField
          value={form.values.description}
          onChange={(description) => form.setFieldValue('description', description)}
        />
        <TextInput
          label={say('slug')}
          description={`${say('slugHint')} /explore/${slug}/collections/…`}
          required
          maxLength={80}
          {...form.getInputProps('slug')}
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={!form.isDirty()} onClick={() => form.reset()}>
            {say('cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
            {say('save')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

/** Sends the fields that were changed, no others. */
function useSave({ id }: Collection, form: ReturnType<typeof useForm<Fields>>) {
  const say = useTexts(collectionsTexts);
  const change = useChange(id);
  const [isBusy, setBusy] = useState(false);
  const submit = async (values: Fields): Promise<void> => {
    setBusy(true);
    try {
      const { name, caption, description, slug } = values;
      await change({
        ...(form.isDirty('name') ? { name: name.trim() } : {}),
        ...(form.isDirty('caption') ? { caption: caption.trim() || null } : {}),
        ...(form.isDirty('description') ? { description: description || null } : {}),
        // A new name alone would change the address too, and with it what people have written down.
        ...(form.isDirty('slug') || form.isDirty('name') ? { slug: slug.trim() } : {}),
      });
      form.setInitialValues(values);
      form.resetDirty(values);
      notifyDone(say('saved'));
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'collection_name_taken')
        form.setFieldError('name', sentenceOf(error));
      else if (error instanceof ApiProblem && error.code === 'collection_slug_taken')
        form.setFieldError('slug', sentenceOf(error));
      else notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, submit };
}

/** Asks before a page with unsaved text is left. */
function useGuard(isDirty: () => boolean): void {
  const say = useTexts(collectionsTexts);
  const ask = useConfirm();
  useBlocker({
    shouldBlockFn: async () =>
      isDirty() && !(await ask({ title: say('leave'), text: say('leaveText'), action: say('leaveAction') })),
    enableBeforeUnload: isDirty,
  });
}

interface DescriptionProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}
function DescriptionField({ value, onChange }: DescriptionProps) {
  const say = useTexts(collectionsTexts);
  const [view, setView] = useState('write');
  return (
    <Stack gap={6}>
      <SegmentedControl
        aria-label={say('description')}
        size="xs"
        value={view}
        onChange={setView}
        data={[
          { value: 'write', label: say('write') },
          { value: 'preview', label: say('preview') },
        ]}
        style={{ alignSelf: 'flex-start' }}
      />
      {view === 'write' ? (
        <Textarea
          label={say('description')}
          description={say('descriptionHint')}
          autosize
          minRows={8}
          maxRows={24}
          maxLength={5000}
          dir="auto"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <Box p="sm" mih={200} style={{ border: '1px solid var(--mantine-color-default-border)' }}>
          <Description text={value} />
        </Box>
      )}
    </Stack>
  );
}
