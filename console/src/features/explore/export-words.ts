/** How far an export is, in words. Pure. */
import { byteSize, exactNumber, plural } from '../../ui/numbers.ts';

export interface ExportFacts {
  readonly status: string;
  readonly rows: number;
  readonly total: number | null;
  readonly limit: number;
  readonly truncated: boolean;
  readonly bytes: number;
  readonly fileName: string;
  readonly detail: string;
}

export function exportSentence({
  status,
  rows,
  total,
  limit,
  truncated,
  bytes,
  fileName,
  detail,
}: ExportFacts): string {
  switch (status) {
    case 'waiting':
      return 'The export waits for its turn';
    case 'running':
      return total === null
        ? `Exporting: ${plural(rows, 'row')} so far`
        : `Exporting: ${exactNumber(rows)} of ${plural(Math.min(total, limit), 'row')}`;
    case 'done':
      return `${fileName}: ${plural(rows, 'row')}, ${byteSize(bytes)}${
        truncated ? `. There are more; a file holds the first ${exactNumber(limit)}` : ''
      }`;
    case 'cancelled':
      return 'The export was cancelled';
    case 'expired':
      return 'The file was deleted; export again';
    default:
      return detail ? `The export failed: ${detail}` : 'The export failed';
  }
}
