import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts';
import { When } from '../../../ui/format';
import { uiTexts } from '../../../ui/ui.texts';
import { bodyOf, changesOf, keysOf } from './body';
import { draftOf, type Loaded } from './draft';
import { editingTexts } from './editing.texts';
import { wordOf } from './field-words';
import { readWorkflow, type Stored } from './workflow-data';

interface Conflict {
  readonly theirs: Stored;
  /** What was changed by somebody else since the page was opened. */
  readonly changed: readonly string[];
  /** What both changed. */
  readonly both: readonly string[];
}
export type Decision = 'keep' | 'theirs' | 'back';

/**
 * What somebody else changed since the workflow was opened; null when it is as it was. A run of the workflow marks it
 * as changed without changing anything.
 */
export async function conflictOf(before: Stored, loaded: Loaded, mine: readonly string[]): Promise<Conflict | null> {
  const { oid, id, modified } = before.workflow;
  const theirs = await readWorkflow(oid, id);
  if (theirs.workflow.modified === modified) return null;
  const now = draftOf(theirs.workflow, theirs.seeds).draft;
  const changed = keysOf(changesOf(bodyOf(loaded.draft), bodyOf(now)));
  if (changed.length === 0) return null;
  return { theirs, changed, both: changed.filter((field) => mine.includes(field)) };
}

/** Asks what to do about a conflict: `const [ask, dialog] = useConflictQuestion()`. */
export function useConflictQuestion(): readonly [(conflict: Conflict) => Promise<Decision>, ReactNode] {
  const [open, setOpen] = useState<{ conflict: Conflict; answer: (decision: Decision) => void } | null>(null);
  const ask = (conflict: Conflict): Promise<Decision> =>
    new Promise((resolve) =>
      setOpen({
        conflict,
        answer: (decision) => {
          setOpen(null);
          resolve(decision);
        },
      }),
    );
  return [ask, open && <ConflictDialog {...open} />];
}

interface DialogProps {
  readonly conflict: Conflict;
  readonly answer: (decision: Decision) => void;
}
function ConflictDialog({ conflict, answer }: DialogProps) {
  const say = useTexts(editingTexts);
  const ui = useTexts(uiTexts);
  const { theirs, changed, both } = conflict;
  const { modifiedByName, modified } = theirs.workflow;
  const others = changed.filter((field) => !both.includes(field));
  const listed = (fields: readonly string[]) => (
    <List size="sm" withPadding>
      {fields.map((field) => (
        <List.Item key={field}>{wordOf(say, field)}</List.Item>
      ))}
    </List>
  );
  return (
    <Modal
      opened
      onClose={() => answer('back')}
      title={say('conflictTitle')}
      size="lg"
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {say('conflictText', { name: modifiedByName || say('somebody') })} <When at={modified} />
        </Text>
        {both.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {say('conflictBoth')}
            </Text>
            {listed(both)}
          </div>
        )}
        {others.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {say('conflictTheirs')}
            </Text>
            {listed(others)}
          </div>
        )}
        <Text size="sm">{say(both.length > 0 ? 'conflictKeepBoth' : 'conflictKeep')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" onClick={() => answer('back')}>
            {say('conflictBack')}
          </Button>
          <Button variant="default" onClick={() => answer('theirs')}>
            {say('conflictTakeTheirs')}
          </Button>
          <Button onClick={() => answer('keep')} {...(both.length > 0 ? { color: 'red' } : {})}>
            {say(both.length > 0 ? 'conflictOverwrite' : 'conflictSave')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
