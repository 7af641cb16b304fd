import { ActionIcon, Button, Group, MultiSelect, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { useOrg } from '../../session/me';
import { Bytes } from '../../ui/format';
import { TagsField } from '../../ui/tags-field';
import { nameOf } from './kinds';
import { useCollectionNames, useTagNames } from './queries';
import { transfers } from './transfers';
import { uploadsTexts } from './uploads.texts';

interface ChosenFilesProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** What the chosen files are to be called and where they belong, before they are sent. */
export function ChosenFiles({ files, onChange }: ChosenFilesProps) {
  const say = useTexts(uploadsTexts);
  const { oid } = useOrg();
  const [names, setNames] = useState<ReadonlyMap<File, string>>(new Map());
  const [tags, setTags] = useState<string[]>([]);
  const [collections, setCollections] = useState<string[]>([]);
  const [description, setDescription] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    for (const file of files) {
      const name = (names.get(file) ?? '').trim() || nameOf(file);
      transfers.add(oid, file, { name, description: description.trim(), tags, collections });
    }
    onChange([]);
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit}>
      <Stack gap="sm">
        <Title order={2}>{say('chosen', { count: files.length })}</Title>
        <Stack gap="xs" mah={420} style={{ overflowY: 'auto' }}>
          {files.map((file) => (
            <FileRow
              key={`${file.name}-${String(file.size)}-${String(file.lastModified)}`}
              file={file}
              name={names.get(file) ?? nameOf(file)}
              onName={(name) => setNames(new Map(names).set(file, name))}
              onRemove={() => onChange(files.filter((one) => one !== file))}
            />
          ))}
        </Stack>
        <Labels oid={oid} tags={tags} onTags={setTags} collections={collections} onCollections={setCollections} />
        <Textarea
          label={say('description')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          autosize
          minRows={2}
          maxLength={5000}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onChange([])}>
            {say('cancel')}
          </Button>
          <Button type="submit">{say('upload', { count: files.length })}</Button>
        </Group>
      </Stack>
    </Paper>
  );
}

interface LabelsProps {
  readonly oid: string;
  readonly tags: string[];
  readonly onTags: (tags: string[]) => void;
  readonly collections: string[];
  readonly onCollections: (ids: string[]) => void;
}
function Labels({ oid, tags, onTags, collections, onCollections }: LabelsProps) {
  const say = useTexts(uploadsTexts);
  const { data: known } = useTagNames(oid);
  const { data: all } = useCollectionNames(oid);
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
      <TagsField
        miw={220}
        label={say('tags')}
        description={say('tagsText')}
        data={known?.tags.map(({ tag }) => tag) ?? []}
        value={tags}
        onChange={onTags}
        acceptValueOnBlur
      />
      <MultiSelect
        miw={220}
        label={say('collections')}
        description={say('collectionsText')}
        data={all?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        value={collections}
        onChange={onCollections}
        searchable
        hidePickedOptions
      />
    </Group>
  );
}

interface FileRowProps {
  readonly file: File;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onRemove: () => void;
}
function FileRow({ file, name, onName, onRemove }: FileRowProps) {
  const say = useTexts(uploadsTexts);
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <TextInput
        flex={1}
        size="sm"
        dir="auto"
        aria-label={say('nameOf', { file: file.name })}
        value={name}
        maxLength={1000}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" w={90} ta="end">
        <Bytes value={file.size} />
      </Text>
      <ActionIcon variant="subtle" color="gray" aria-label={say('removeFile', { file: file.name })} onClick={onRemove}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
