/** The one place where outcomes are counted. Sums per project, minute, category, outcome and reason. */
import type { OutcomeRow } from '../events/tables.ts';
import type { OutcomeCount } from '../log/received.ts';
import type { CountedOutcome } from './types.ts';

export interface OutcomeCounter {
  /** Counts what an item ended in; `receivedAt` in ms since the epoch. */
  count(projectId: number, receivedAt: number, counted: CountedOutcome): void;
  /** Adds what ingestion counted before anything reached the log. */
  add(count: OutcomeCount): void;
  rows(): OutcomeRow[];
}

const minuteMs = 60_000;

export function createOutcomeCounter(): OutcomeCounter {
  const rows = new Map<string, OutcomeRow>();
  const add = (row: OutcomeRow): void => {
    const key = `${row.project_id}|${row.minute}|${row.category}|${row.outcome}|${row.reason}`;
    const known = rows.get(key);
    if (known) known.quantity += row.quantity;
    else rows.set(key, row);
  };
  return {
    count(projectId, receivedAt, { category, outcome, quantity }) {
      add({
        project_id: projectId,
        minute: receivedAt - (receivedAt % minuteMs),
        category,
        outcome: outcome.kind,
        reason: outcome.kind === 'accepted' ? '' : outcome.reason,
        quantity,
      });
    },
    add({ projectId, minuteMs: minute, category, outcome, reason, quantity }) {
      add({ project_id: projectId, minute, category, outcome, reason, quantity });
    },
    rows: () => [...rows.values()],
  };
}
