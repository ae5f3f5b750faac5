import { itemType } from '@culprit/envelope';

export interface Rows {
  spans: number;
  logs: number;
  /** Events, and items kept as they came. */
  others: number;
}

/** Become no rows of their own: outcomes of what the SDK discarded, and one row of all updates of a session. */
const uncounted = new Set(['client_report', 'session', 'sessions']);

/** Adds what the item becomes. */
export function addRows(rows: Rows, { type, payload }: { readonly type: string; readonly payload: Uint8Array }): void {
  if (uncounted.has(itemType(type).name)) return;
  if (type !== 'transaction' && type !== 'span' && type !== 'log') {
    rows.others += 1;
    return;
  }
  const { spans, items } = JSON.parse(Buffer.from(payload).toString()) as { spans?: unknown[]; items?: unknown[] };
  // The segment of a transaction is a span, and so is a span that comes without a container.
  if (type === 'transaction') rows.spans += 1 + (spans?.length ?? 0);
  else rows[type === 'span' ? 'spans' : 'logs'] += items?.length ?? 1;
}

/** Counts the same in the store; problems that were found in spans are left out. */
export const storedRows = `SELECT (SELECT count() FROM spans) AS spans, (SELECT count() FROM logs) AS logs,
  (SELECT count() FROM errors WHERE issue_type = '') + (SELECT count() FROM items) AS others`;
