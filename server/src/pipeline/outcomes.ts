/**
 * The one place where outcomes are counted. Sums per project, minute, category, outcome and reason.
 *
 * An item that is accepted is on its way until its rows are stored; those that turn out otherwise there are said to be
 * lost. What is accepted is what is left of those on their way when the rows are asked for: nothing is ever taken back.
 */
import type { OutcomeRow } from '../base/tables/outcomes.ts';
import type { EnvelopeHead, OutcomeCount } from '../ports/queue/received.ts';
import type { CountedOutcome, Outcome } from '../process/types.ts';

/** What was sent when, and with which key; of a row that does not say, no key. `receivedAt` in ms since the epoch. */
type Sent = Pick<EnvelopeHead, 'projectId' | 'receivedAt'> & Partial<Pick<EnvelopeHead, 'keyId'>>;

export interface OutcomeCounter {
  /** Counts what an item ended in, or is to end in once its rows are stored. */
  count(sent: Sent, counted: CountedOutcome): void;
  /** Adds what ingestion counted before anything reached the log. */
  add(count: OutcomeCount): void;
  /** One that was on its way as accepted ends otherwise. Of more than were on their way, the rest counts for nothing. */
  lose(sent: Sent, category: string, outcome: Exclude<Outcome, { kind: 'accepted' }>): void;
  rows(): OutcomeRow[];
}

const minuteMs = 60_000;
const minuteOf = (receivedAt: number): number => receivedAt - (receivedAt % minuteMs);

const reasonOf = (outcome: Outcome): string => (outcome.kind === 'accepted' ? '' : outcome.reason);

export function createOutcomeCounter(): OutcomeCounter {
  const rows = new Map<string, OutcomeRow>();
  const lost: Lost[] = [];
  return {
    count({ projectId, keyId, receivedAt }, { category, outcome, quantity }) {
      sum(rows, {
        project_id: projectId,
        key_id: keyId ?? 0,
        minute: minuteOf(receivedAt),
        category,
        outcome: outcome.kind,
        reason: reasonOf(outcome),
        quantity,
      });
    },
    add({ projectId, keyId = 0, minuteMs: minute, category, outcome, reason, quantity }) {
      sum(rows, { project_id: projectId, key_id: keyId, minute, category, outcome, reason, quantity });
    },
    lose({ projectId, keyId, receivedAt }, category, outcome) {
      lost.push({
        project_id: projectId,
        key_id: keyId,
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

function keyOf({ project_id, key_id, minute, category, outcome, reason }: OutcomeRow): string {
  return `${project_id}|${key_id}|${minute}|${category}|${outcome}|${reason}`;
}

/** Undefined where the row did not say with which key it came. */
type Lost = Omit<OutcomeRow, 'key_id'> & { readonly key_id: number | undefined };

function sum(rows: Map<string, OutcomeRow>, row: OutcomeRow): void {
  const key = keyOf(row);
  const known = rows.get(key);
  if (known) known.quantity += row.quantity;
  else rows.set(key, row);
}

/** Those that were on their way, by how they ended. */
function settled(expected: ReadonlyMap<string, OutcomeRow>, lost: readonly Lost[]): OutcomeRow[] {
  const rows = new Map([...expected].map(([key, row]) => [key, { ...row }]));
  for (const row of lost) {
    const accepted = acceptedOf(rows, row);
    if (!accepted) continue;
    accepted.quantity -= 1;
    sum(rows, { ...row, key_id: accepted.key_id ?? 0 });
  }
  return [...rows.values()].filter(({ quantity }) => quantity > 0);
}

/** Those that one was lost of: of its key, else of any that has some left. */
function acceptedOf(rows: ReadonlyMap<string, OutcomeRow>, { key_id, ...lost }: Lost): OutcomeRow | undefined {
  const like = { ...lost, outcome: 'accepted', reason: '' };
  const found =
    key_id === undefined
      ? rows.values().find((row) => row.quantity > 0 && keyOf(row) === keyOf({ ...like, key_id: row.key_id }))
      : rows.get(keyOf({ ...like, key_id }));
  return found && found.quantity > 0 ? found : undefined;
}
