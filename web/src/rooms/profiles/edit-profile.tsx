import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts';
import { sentenceOf } from '../../ui/problems';
import { TagsField } from '../../ui/tags-field';
import { uiTexts } from '../../ui/ui.texts';
import { useProfileActions, useProfileTags, type Profile } from './queries';
import { profilesTexts } from './profiles.texts';

/** Name, description and tags of a profile. */
export function EditProfile({ profile, onClose }: { readonly profile: Profile; readonly onClose: () => void }) {
  const say = useTexts(profilesTexts);
  const sayUi = useTexts(uiTexts);
  const actions = useProfileActions();
  const known = useProfileTags();
  const [name, setName] = useState(profile.name);
  const [description, setDescription] = useState(profile.description ?? '');
  const [tags, setTags] = useState<string[]>(profile.tags ?? []);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await actions.edit(profile.id, { name: name.trim(), description, tags });
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={say('edit')} closeButtonProps={{ 'aria-label': sayUi('close') }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput
            data-autofocus
            label={say('name')}
            required
            dir="auto"
            value={name}
            error={problem || undefined}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label={say('description')}
            autosize
            minRows={2}
            dir="auto"
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <TagsField label={say('tags')} data={[...known]} value={tags} onChange={setTags} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {sayUi('cancel')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
              {sayUi('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
