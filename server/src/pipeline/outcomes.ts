/**
 * The one place where outcomes are counted. Sums per project, minute, category, outcome and reason.
 *
 * An item that is accepted is on its way until its rows are stored; those that turn out otherwise there are said to be
 * lost. What is accepted is what is left of those on their way when the rows are asked for: nothing is ever taken back.
 */
import type { OutcomeRow } from '../base/tables/outcomes.ts';
import type { OutcomeCount } from '../ports/queue/received.ts';
import type { CountedOutcome, Outcome } from '../process/types.ts';

export interface OutcomeCounter {
  /** Counts what an item ended in, or is to end in once its rows are stored; `receivedAt` in ms since the epoch. */
  count(projectId: number, receivedAt: number, counted: CountedOutcome): void;
  /** Adds what ingestion counted before anything reached the log. */
  add(count: OutcomeCount): void;
  /** One that was on its way as accepted ends otherwise. Of more than were on their way, the rest counts for nothing. */
  lose(projectId: number, receivedAt: number, category: string, outcome: Exclude<Outcome, { kind: 'accepted' }>): void;
  rows(): OutcomeRow[];
}

const minuteMs = 60_000;
const minuteOf = (receivedAt: number): number => receivedAt - (receivedAt % minuteMs);

const reasonOf = (outcome: Outcome): string => (outcome.kind === 'accepted' ? '' : outcome.reason);

export function createOutcomeCounter(): OutcomeCounter {
  const rows = new Map<string, OutcomeRow>();
  const lost: OutcomeRow[] = [];
  return {
    count(projectId, receivedAt, { category, outcome, quantity }) {
      sum(rows, {
        project_id: projectId,
        minute: minuteOf(receivedAt),
        category,
        outcome: outcome.kind,
        reason: reasonOf(outcome),
        quantity,
      });
    },
    add({ projectId, minuteMs: minute, category, outcome, reason, quantity }) {
      sum(rows, { project_id: projectId, minute, category, outcome, reason, quantity });
    },
    lose(projectId, receivedAt, category, outcome) {
      lost.push({
        project_id: projectId,
        minute: minuteOf(receivedAt),
        category,
        outcome: outcome.kind,
        reason: outcome.reason,
        quantity: 1,
      });
    },
    rows: () => settled(rows, lost),
  };
}

function keyOf({ project_id, minute, category, outcome, reason }: OutcomeRow): string {
  return `${project_id}|${minute}|${category}|${outcome}|${reason}`;
}

function sum(rows: Map<string, OutcomeRow>, row: OutcomeRow): void {
  const key = keyOf(row);
  const known = rows.get(key);
  if (known) known.quantity += row.quantity;
  else rows.set(key, row);
}

/** Those that were on their way, by how they ended. */
function settled(expected: ReadonlyMap<string, OutcomeRow>, lost: readonly OutcomeRow[]): OutcomeRow[] {
  const rows = new Map([...expected].map(([key, row]) => [key, { ...row }]));
  for (const row of lost) {
    const accepted = rows.get(keyOf({ ...row, outcome: 'accepted', reason: '' }));
    if (!accepted || accepted.quantity === 0) continue;
    accepted.quantity -= 1;
    sum(rows, { ...row });
  }
  return [...rows.values()].filter(({ quantity }) => quantity > 0);
}
