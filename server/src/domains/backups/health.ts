/** How backups are doing: what Health shows and /metrics counts, and whom a failed one is told. */
import { health as texts } from '../../base/texts/backups.ts';
import type { State } from '../../ports/state/state.ts';
import { enqueue, type Notification } from '../notify/index.ts';
import { type BackupRun, lastTaken, listRuns } from './runs.ts';
import { isOverdue, nextDue } from './schedule.ts';

/** Times are ms since the epoch. */
export interface BackupHealth {
  /** Null where none was taken. */
  readonly last: {
    readonly at: number;
    readonly durationMs: number;
    readonly bytes: number;
    readonly added: number;
  } | null;
  /** Null where none are scheduled, or one is under way. */
  readonly nextAt: number | null;
  readonly isRunning: boolean;
  /** Why somebody has to look after them, as a sentence; '' for no reason. */
  readonly trouble: string;
}

interface Facts {
  readonly node: string;
  /** Undefined where none are scheduled. */
  readonly expression: string | undefined;
  /** When the program was started. */
  readonly since: number;
}

export async function readHealth(state: State, { node, expression, since }: Facts): Promise<BackupHealth> {
  const [newest] = await listRuns(state, { node, limit: 1 });
  const [scheduled] = expression ? await listRuns(state, { node, askedBy: 'schedule', limit: 1 }) : [];
  const taken = await lastTaken(state, node);
  const now = Date.now();
  const lastAt = taken?.taken?.summary.snapshotAt;
  return {
    last: taken?.taken
      ? {
          at: taken.taken.summary.snapshotAt,
          durationMs: (taken.endedAt ?? 0) - (taken.beganAt ?? 0),
          bytes: taken.taken.summary.stored,
          added: taken.taken.summary.added,
        }
      : null,
    nextAt: (expression ? nextDue(expression, scheduled, since) : undefined) ?? null,
    isRunning: newest?.state === 'running',
    trouble: expression ? troubleOf({ expression, since, now, scheduled, lastAt }) : '',
  };
}

function troubleOf(facts: {
  expression: string;
  since: number;
  now: number;
  scheduled: BackupRun | undefined;
  lastAt: number | undefined;
}): string {
  const { expression, since, now, scheduled, lastAt } = facts;
  if (scheduled?.state === 'failed') return texts.failed(scheduled.detail);
  return isOverdue(expression, lastAt ?? since, now) ? texts.overdue(lastAt) : '';
}

/** By mail to all owners, once for each time that it begins. */
export async function tellOwners(
  state: State,
  trouble: string,
  { key, url }: { key: string; url: string },
): Promise<void> {
  const owners = await state.db
    .selectFrom('member')
    .select(['userId', 'organizationId'])
    .where('role', '=', 'owner')
    .orderBy('organizationId')
    .execute();
  const notification: Notification = {
    kind: 'backup',
    severity: 'critical',
    title: texts.title,
    text: trouble,
    url: `${url}/health`,
    fields: [],
    groupKey: 'backups',
  };
  // Who owns several organisations gets one.
  for (const [userId, [first]] of Map.groupBy(owners, (owner) => owner.userId)) {
    if (!first) continue;
    const { organizationId } = first;
    await enqueue(state.db, { key: `backup:${key}:${userId}`, organizationId, to: { userId }, notification });
  }
}
