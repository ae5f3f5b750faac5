/** Rows as text: CSV as RFC 4180 has it, and JSON Lines. */
import type { Cell } from '../types.ts';

/** Maps of a row stand as they are in JSON, and as JSON in CSV. */
type ExportCell = Cell | Readonly<Record<string, string | number>>;
export type ExportRow = Readonly<Record<string, ExportCell>>;

export type ExportFormat = 'csv' | 'jsonl';

/** What stands before the first row; '' for nothing. */
export const headOf = (format: ExportFormat, names: readonly string[]): string =>
  format === 'csv' ? csvLine(names) : '';

export function lineOf(format: ExportFormat, names: readonly string[], row: ExportRow): string {
  const cells = names.map((name) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null));
  if (format === 'csv') return csvLine(cells);
  // Object.fromEntries keeps a column that is called __proto__.
  return `${JSON.stringify(Object.fromEntries(names.map((name, index) => [name, cells[index]])))}\n`;
}

const csvLine = (cells: readonly ExportCell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Spreadsheets run text that begins like this. */
const formula = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

function csvCell(cell: ExportCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
