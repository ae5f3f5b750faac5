/** How far an export is, in words. Pure. */
import * as m from '../../messages/explore-export.ts';
import { byteSize, exactNumber } from '../../ui/numbers.ts';

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
      return m.exportWaiting;
    case 'running':
      return total === null
        ? m.exportStarted({ count: rows })
        : m.exporting({ rows: exactNumber(rows), count: Math.min(total, limit) });
    case 'done':
      return (truncated ? m.exportedPart : m.exported)({ file: fileName, count: rows, size: byteSize(bytes) });
    case 'cancelled':
      return m.exportWasCancelled;
    case 'expired':
      return m.exportExpired;
    default:
      return detail ? m.exportFailedWhy({ reason: detail }) : m.exportDidFail;
  }
}
