/** Whether what was sent adds up: each item ended in one outcome, of a project, a key, a category and a minute. */
import type { TimeRange } from '../../base/time-range.ts';
import type { Events } from '../../ports/events/events.ts';

export interface Ended {
  readonly outcome: string;
  readonly reason: string;
  readonly total: number;
}

/** sent = accepted + filtered + limited + invalid + discarded. */
export interface Account {
  readonly projectId: number;
  /** 0 where it is not known. */
  readonly keyId: number;
  readonly category: string;
  readonly sent: number;
  readonly accepted: number;
  readonly filtered: number;
  readonly limited: number;
  readonly invalid: number;
  /** As SDKs report. */
  readonly discarded: number;
  /** All but what was accepted, the largest first. */
  readonly dropped: readonly Ended[];
}

const minuteMs = 60_000;
const maxAccounts = 5_000;

/** Over whole minutes, the largest first; `keyId` for one key alone. */
export async function accountsOf(
  events: Events,
  projectIds: readonly number[],
  { startMs: fromMs, endMs: untilMs, open }: Pick<TimeRange, 'startMs' | 'endMs' | 'open'>,
  keyId?: number,
): Promise<{ startMs: number; endMs: number; accounts: Account[] }> {
  const startMs = Math.floor(fromMs / minuteMs) * minuteMs;
  // The minute that runs belongs to an open range.
  const endMs = Math.ceil(untilMs / minuteMs) * minuteMs + (open ? minuteMs : 0);
  if (!projectIds.length) return { startMs, endMs, accounts: [] };
  type Row = Pick<Account, 'projectId' | 'keyId' | 'category'> & {
    readonly ended: readonly (readonly [outcome: string, reason: string, total: number])[];
  };
  const rows = await events.query<Row>(
    `SELECT projectId, keyId, category, groupArray((outcome, reason, n)) AS ended FROM (
       SELECT project_id AS projectId, key_id AS keyId, category, outcome, reason, sum(quantity) AS n FROM outcomes
       WHERE project_id IN {projects:Array(UInt64)} AND minute >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
         AND minute < fromUnixTimestamp64Milli({end:Int64}, 'UTC')
         ${keyId === undefined ? '' : 'AND key_id = {key:UInt64}'}
       GROUP BY project_id, key_id, category, outcome, reason
     )
     GROUP BY projectId, keyId, category ORDER BY sum(n) DESC, projectId, keyId, category LIMIT {limit:UInt32}`,
    { projects: projectIds, start: startMs, end: endMs, key: keyId ?? 0, limit: maxAccounts },
  );
  return {
    startMs,
    endMs,
    accounts: rows.map(({ ended, ...account }) => ({
      ...account,
      ...summed(ended.map(([outcome, reason, total]) => ({ outcome, reason, total }))),
    })),
  };
}

function summed(ended: readonly Ended[]) {
  const totalOf = (kind?: string): number =>
    ended.reduce((sum, { outcome, total }) => sum + (kind === undefined || outcome === kind ? total : 0), 0);
  return {
    sent: totalOf(),
    accepted: totalOf('accepted'),
    filtered: totalOf('filtered'),
    limited: totalOf('rate_limited'),
    invalid: totalOf('invalid'),
    discarded: totalOf('client_discard'),
    dropped: ended.filter(({ outcome }) => outcome !== 'accepted').toSorted((a, b) => b.total - a.total),
  };
}
