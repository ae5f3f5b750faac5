/** What there is to say of the limit of an issue. */
import type { EventLimit } from '../../../base/event-limit.ts';
import type { State } from '../../../ports/state/state.ts';
import { toLimit, toWaiting } from './rows.ts';

export interface IssueLimit {
  /** Null: none; something may wait all the same. */
  readonly limit: EventLimit | null;
  /** Events that are counted with the next one that is stored, and since when they wait, ms since the epoch. */
  readonly waiting: { readonly events: number; readonly since: number } | null;
  /** Id of the merged issue whose limit it is. */
  readonly takenFrom: number | null;
}

const noLimit: IssueLimit = { limit: null, waiting: null, takenFrom: null };

export async function limitOf({ db }: Pick<State, 'db'>, issueId: number): Promise<IssueLimit> {
  const row = await db.selectFrom('issue_limit').selectAll().where('issue_id', '=', issueId).executeTakeFirst();
  if (!row) return noLimit;
  const waiting = toWaiting(row.waiting);
  const since = Math.max(row.created_at, Math.min(...waiting.map((one) => one.since)));
  const events = waiting.reduce((sum, one) => sum + one.events, 0);
  return { limit: toLimit(row), waiting: events > 0 ? { events, since } : null, takenFrom: row.taken_from };
}
