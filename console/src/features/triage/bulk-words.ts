/** A change of everything that a search finds, in words. Pure. */
import { exactNumber, plural } from '../../ui/numbers.ts';
import type { Bulk } from './queries.ts';

export interface BulkWords {
  readonly text: string;
  /** Part that is done, 0 to 1; undefined when nothing is under way. */
  readonly part: number | undefined;
  readonly can: 'cancel' | 'undo' | undefined;
  readonly failed: boolean;
}

type Facts = Pick<Bulk, 'state' | 'total' | 'done' | 'changed' | 'failed' | 'detail' | 'undoableUntil'>;

/** `what`: what was asked for, as `resolved`, `assigned to Ada`, `deleted`. */
export function bulkWords(bulk: Facts, what: string, now: number): BulkWords {
  const { state, total, done, changed, failed, detail } = bulk;
  const part = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const undoable = bulk.undoableUntil !== null && Date.parse(bulk.undoableUntil) > now;
  const issues = plural(changed, 'issue');
  const isDelete = what === 'deleted' || what === 'discarded';
  switch (state) {
    case 'waiting':
      return {
        text: isDelete
          ? `${plural(total, 'issue')} will be ${what} in half a minute`
          : `${plural(total, 'issue')} found`,
        part: 0,
        can: 'cancel',
        failed: false,
      };
    case 'running':
      return { text: `${exactNumber(done)} of ${plural(total, 'issue')} ${what}`, part, can: 'cancel', failed: false };
    case 'undoing':
      return {
        text: `Undoing: ${exactNumber(Math.max(0, total - done))} of ${exactNumber(total)}`,
        part: 1 - part,
        can: undefined,
        failed: false,
      };
    case 'undone':
      return { text: `Undone: ${plural(total, 'issue')} as before`, part: undefined, can: undefined, failed: false };
    case 'failed':
      return {
        text: `Stopped after ${issues}: ${detail || 'something went wrong'}`,
        part: undefined,
        can: undoable && changed > 0 ? 'undo' : undefined,
        failed: true,
      };
    case 'cancelled':
      return {
        text: `Cancelled; ${issues} ${what} by then`,
        part: undefined,
        can: undoable && changed > 0 ? 'undo' : undefined,
        failed: false,
      };
    case 'done': {
      const rest =
        failed > 0 ? `, ${exactNumber(failed)} could not be` : changed < total ? `, the others were so already` : '';
      return {
        text: `${issues} ${what}${rest}`,
        part: undefined,
        can: undoable && changed > 0 ? 'undo' : undefined,
        failed: failed > 0,
      };
    }
  }
}

export const isUnderWay = (state: Bulk['state']): boolean =>
  state === 'waiting' || state === 'running' || state === 'undoing';
