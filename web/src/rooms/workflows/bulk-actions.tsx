import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconTag, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useTexts } from '../../i18n/texts';
import { TagsField } from '../../ui/tags-field';
import { uiTexts } from '../../ui/ui.texts';
import { addTags, forEach, run, stop } from './workflow-actions';
import type { Workflow } from './workflow-queries';
import { workflowsTexts } from './workflows.texts';

interface BulkProps {
  readonly oid: string;
  readonly workflows: readonly Workflow[];
  readonly isStartable: boolean;
  readonly onDelete: (workflows: readonly Workflow[]) => void;
}

/** What can be done with the workflows that are selected. */
export function BulkActions({ oid, workflows, isStartable, onDelete }: BulkProps) {
  const say = useTexts(workflowsTexts);
  const [busy, setBusy] = useState('');
  const [isTagging, setTagging] = useState(false);
  const running = workflows.filter(({ isCrawlRunning }) => isCrawlRunning);
  const idle = workflows.filter(({ isCrawlRunning }) => !isCrawlRunning);
  const act = async (name: string, action: () => Promise<void>): Promise<void> => {
    setBusy(name);
    await action();
    setBusy('');
  };
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
        disabled={idle.length === 0 || !isStartable}
        loading={busy === 'run'}
        onClick={() => void act('run', () => forEach(idle, run, 'started'))}
      >
        {say('run')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPlayerStop size={14} aria-hidden />}
        disabled={running.length === 0}
        loading={busy === 'stop'}
        onClick={() => void act('stop', () => forEach(running, stop, 'stopping'))}
      >
        {say('stop')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTag size={14} aria-hidden />}
        onClick={() => setTagging(true)}
      >
        {say('addTags')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        c="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        disabled={idle.length === 0}
        onClick={() => onDelete(idle)}
      >
        {say('delete')}
      </Button>
      {isTagging && <TagDialog oid={oid} workflows={workflows} onClose={() => setTagging(false)} />}
    </Group>
  );
}

interface TagProps {
  readonly oid: string;
  readonly workflows: readonly Workflow[];
  readonly onClose: () => void;
}
function TagDialog({ oid, workflows, onClose }: TagProps) {
  const say = useTexts(workflowsTexts);
  const ui = useTexts(uiTexts);
  const [tags, setTags] = useState<string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const { data } = api.useQuery('get', '/api/orgs/{oid}/crawlconfigs/tagCounts', { params: { path: { oid } } });
  const save = async (): Promise<void> => {
    setBusy(true);
    await forEach(workflows, (workflow) => addTags(workflow, tags), 'tagged');
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={say('addTags')} closeButtonProps={{ 'aria-label': ui('close') }}>
      <Stack>
        <Text size="sm">{say('addTagsText')}</Text>
        <TagsField
          data-autofocus
          label={say('tags')}
          data={(data?.tags ?? []).map(({ tag }) => tag)}
          value={tags}
          onChange={setTags}
          maxLength={80}
          acceptValueOnBlur
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button disabled={tags.length === 0} loading={isBusy} onClick={() => void save()}>
            {say('addTags')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
