/** What rows add to the counts of issues. */
import type { Gain, Gained } from '../../../base/live.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { hashKey } from '../rows.ts';

type CountedRow = Pick<
  ErrorRow,
  'project_id' | 'group_hash' | 'timestamp' | 'environment' | 'handled' | 'user' | 'stands_for' | 'sampled_users'
>;

interface Sum extends Omit<Gain, 'users'> {
  events: number;
  unhandled: number;
  sampled: number;
  lastSeen: number;
  readonly users: Set<string>;
}

const hourMs = 3_600_000;

/** By issue. `owners` has the issue of each hash, by `hashKey`. */
export function gainsOf(
  rows: Iterable<CountedRow>,
  owners: ReadonlyMap<string, number>,
): ReadonlyMap<number, readonly Gain[]> {
  const issues = new Map<number, Map<string, Sum>>();
  for (const { stands_for = 0, sampled_users = [], ...row } of rows) {
    const { project_id, group_hash, timestamp, environment, handled, user } = row;
    const issueId = owners.get(hashKey(project_id, group_hash));
    if (issueId === undefined) continue;
    const sums = issues.get(issueId) ?? new Map<string, Sum>();
    if (!sums.size) issues.set(issueId, sums);
    const startMs = Math.floor(timestamp / hourMs) * hourMs;
    const key = `${startMs}:${environment}`;
    const sum = sums.get(key) ?? { ...nothing, hourMs: startMs, environment, users: new Set<string>() };
    if (!sum.events) sums.set(key, sum);
    sum.events += 1 + stands_for;
    if (handled === 0) sum.unhandled += 1 + stands_for;
    sum.sampled += stands_for;
    sum.lastSeen = Math.max(sum.lastSeen, timestamp);
    if (user !== '') sum.users.add(user);
    for (const other of sampled_users) sum.users.add(other);
  }
  return new Map(
    [...issues].map(([id, sums]) => [
      id,
      sums
        .values()
        .toArray()
        .map((sum) => ({ ...sum, users: [...sum.users] })),
    ]),
  );
}

const nothing = { events: 0, unhandled: 0, sampled: 0, lastSeen: 0 };

/** Those of one project. */
export function gainedBy(gained: Gained | undefined, issueIds: readonly number[]): Gained | undefined {
  if (!gained) return undefined;
  const issues = new Map(
    issueIds.flatMap((id) => {
      const gains = gained.issues.get(id);
      return gains ? [[id, gains] as const] : [];
    }),
  );
  return { ...gained, issues };
}
