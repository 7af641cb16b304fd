import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts';
import { auditTexts } from './audit.texts';

export interface Turns {
  /** The cursor of the page that is shown; none for the first. */
  readonly cursor: string | undefined;
  readonly older: (next: string) => void;
  readonly newer: () => void;
}

/** Where a list is which the API gives forwards alone: the cursors of the pages up to the one that is shown. */
export function useTurns(): Turns {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    cursor: cursors.at(-1),
    older: (next) => setCursors([...cursors, next]),
    newer: () => setCursors(cursors.slice(0, -1)),
  };
}

interface TurningProps {
  readonly turns: Turns;
  /** Cursor of the next page. */
  readonly next: string | null | undefined;
}

/** Leads to older and newer pages, where there are any. */
export function Turning({ turns, next }: TurningProps) {
  const say = useTexts(auditTexts);
  if (!next && !turns.cursor) return null;
  return (
    <Group justify="flex-end" gap="xs" mt="xs">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconChevronLeft size={16} aria-hidden />}
        disabled={!turns.cursor}
        onClick={turns.newer}
      >
        {say('newer')}
      </Button>
      <Button
        size="xs"
        variant="default"
        rightSection={<IconChevronRight size={16} aria-hidden />}
        disabled={!next}
        onClick={() => next && turns.older(next)}
      >
        {say('older')}
      </Button>
    </Group>
  );
}
