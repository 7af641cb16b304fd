export interface CsvColumn<T> {
  readonly title: string;
  csv?(row: T): string | number | null | undefined;
}

/** A cell that programs read as a formula begins with one of these; archived titles are anybody's. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (value: string | number | null | undefined): string => {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
};

/** RFC 4180, with the byte order mark that spreadsheets need to read UTF-8. */
export function csvOf<T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string {
  const exported = columns.filter((column) => column.csv !== undefined);
  const lines = [
    exported.map((column) => cell(column.title)),
    ...rows.map((row) => exported.map((c) => cell(c.csv?.(row)))),
  ];
  return `\uFEFF${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

export function saveCsv<T>(name: string, columns: readonly CsvColumn<T>[], rows: readonly T[]): void {
  const url = URL.createObjectURL(new Blob([csvOf(columns, rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.toLowerCase().replace(/\s+/g, '-')}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
