/** A change of everything that a search finds, in words. Pure. */
import * as m from '../../messages/bulk.ts';
import { issueCount } from '../../messages/triage.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { named } from './bulk-store.ts';
import type { Bulk } from './queries.ts';

export interface BulkWords {
  readonly text: string;
  /** Part that is done, 0 to 1; undefined when nothing is running. */
  readonly part: number | undefined;
  readonly can: 'cancel' | 'undo' | undefined;
  readonly failed: boolean;
}

type Facts = Pick<Bulk, 'state' | 'total' | 'done' | 'changed' | 'failed' | 'detail' | 'undoableUntil' | 'change'>;

/** `what`: the sentence of what is done, with a place for the name of the issues. */
export function bulkWords(bulk: Facts, what: string, now: number): BulkWords {
  const { state, total, done, changed, failed, detail, change } = bulk;
  const part = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const isUndoable = bulk.undoableUntil !== null && Date.parse(bulk.undoableUntil) > now && changed > 0;
  const over = (text: string, isFailed = false): BulkWords => ({
    text,
    part: undefined,
    can: isUndoable ? 'undo' : undefined,
    failed: isFailed,
  });
  const issues = issueCount({ count: changed });
  switch (state) {
    case 'waiting': {
      const text = 'delete' in change || 'discard' in change ? m.bulkWillDelete : m.bulkFound;
      return { text: text({ count: total }), part: 0, can: 'cancel', failed: false };
    }
    case 'running': {
      const text = named(what, m.bulkOf({ done: exactNumber(done), count: total }));
      return { text, part, can: 'cancel', failed: false };
    }
    case 'undoing': {
      const undone = exactNumber(Math.max(0, total - done));
      const text = m.bulkUndoing({ done: undone, total: exactNumber(total) });
      return { text, part: 1 - part, can: undefined, failed: false };
    }
    case 'undone':
      return { text: m.bulkUndone({ count: total }), part: undefined, can: undefined, failed: false };
    case 'failed':
      return over(m.bulkFailed({ issues, reason: detail || m.bulkFailedUnknown }), true);
    case 'cancelled':
      return over(m.bulkCancelled({ done: named(what, issues) }));
    case 'done': {
      const text = named(what, issues);
      if (failed > 0) return over(m.bulkSomeFailed({ done: text, count: failed }), true);
      return over(changed < total ? m.bulkSomeBefore({ done: text }) : text);
    }
  }
}

export const isUnderWay = (state: Bulk['state']): boolean =>
  state === 'waiting' || state === 'running' || state === 'undoing';
