import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../i18n/texts';
import { saveCsv, type CsvColumn } from './csv';
import { notifyProblem } from './problems';
import { uiTexts } from './ui.texts';

interface ExportCsvProps<T> {
  /** Names the file. */
  readonly label: string;
  readonly columns: readonly CsvColumn<T>[];
  readonly rows: () => readonly T[] | Promise<readonly T[]>;
}

/** Gives a table as a file. */
export function ExportCsv<T>({ label, columns, rows }: ExportCsvProps<T>) {
  const say = useTexts(uiTexts);
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      saveCsv(label, columns, await rows());
    } catch (error) {
      notifyProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Tooltip label={say('exportCsv')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`${say('exportCsv')}: ${label}`}
        loading={isBusy}
        onClick={() => void save()}
      >
        <IconDownload size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
