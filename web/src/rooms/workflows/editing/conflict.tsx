import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../../i18n/texts';
import { When } from '../../../ui/format';
import { uiTexts } from '../../../ui/ui.texts';
import { bodyOf, changesOf, differencesOf, type Difference, type Patch } from './body';
import { DifferenceTable } from './difference-table';
import { draftOf, type Loaded } from './draft';
import { editingTexts } from './editing.texts';
import type { Stored } from './workflow-data';

interface Conflict {
  readonly theirs: Stored;
  /** What both changed: from their value to mine. */
  readonly both: readonly Difference[];
  /** What was changed by somebody else alone, since the page was opened. */
  readonly others: readonly Difference[];
}
export type Decision = 'keep' | 'theirs' | 'back';

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * What somebody else changed since the workflow was opened; null when nothing that this editor shows differs from what
 * is about to be saved. A run of the workflow makes a revision without changing anything.
 */
export function conflictOf(loaded: Loaded, theirs: Stored, mine: Patch): Conflict | null {
  const before = bodyOf(loaded.draft);
  const changed = differencesOf(changesOf(before, bodyOf(draftOf(theirs.workflow, theirs.seeds).draft)), before);
  const wanted = new Map(differencesOf(mine, before).map(({ field, after }) => [field, after]));
  const others = changed.filter(({ field }) => !wanted.has(field));
  const both = changed
    .filter(({ field, after }) => wanted.has(field) && !isSame(after, wanted.get(field)))
    .map(({ field, after }) => ({ field, before: after, after: wanted.get(field) }));
  return both.length + others.length > 0 ? { theirs, both, others } : null;
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
  const { theirs, both, others } = conflict;
  const { oid, modifiedByName, modified } = theirs.workflow;
  return (
    <Modal
      opened
      onClose={() => answer('back')}
      title={say('conflictTitle')}
      size="xl"
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <Stack gap="sm">
        <Text size="sm">
          {say('conflictText', { name: modifiedByName || say('somebody') })} <When at={modified} />
        </Text>
        {both.length > 0 && (
          <div>
            <Text size="sm" fw={600} mb="xs">
              {say('conflictBoth')}
            </Text>
            <DifferenceTable oid={oid} label={say('conflictBoth')} found={both} sides={[say('theirs'), say('yours')]} />
          </div>
        )}
        {others.length > 0 && (
          <div>
            <Text size="sm" fw={600} mb="xs">
              {say('conflictTheirs')}
            </Text>
            <DifferenceTable oid={oid} label={say('conflictTheirs')} found={others} />
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
