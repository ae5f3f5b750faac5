/** How much an issue matters, as people or its course say. */
import { chunksOf } from '../../../base/chunks.ts';
import type { Priority } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { noteActivity } from '../activity.ts';
import { priorityOf } from '../priority.ts';
import type { Doing, PriorityBefore } from './types.ts';

/** Null: as the level says, and free to rise again. What they were before, of those that are different now. */
export async function setPriorityIn(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  priority: Priority | null,
): Promise<Map<number, PriorityBefore>> {
  const changed = new Map<number, PriorityBefore>();
  const locked = priority === null ? 0 : 1;
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = await readPriorities(trx, chunk);
    const others = rows.filter((row) => row.priority !== priority || row.priority_locked !== locked);
    if (!others.length) continue;
    const ids = others.map(({ id }) => id);
    await trx.updateTable('issue').set({ priority, priority_locked: locked }).where('id', 'in', ids).execute();
    await note(
      trx,
      others.map((row) => ({ id: row.id, priority: priorityOf({ priority, level: row.level }) })),
      { userId, nowMs, reason: 'user' },
    );
    for (const row of others) changed.set(row.id, { priority: row.priority, locked: row.priority_locked });
  }
  return changed;
}

/** To high, where nobody has set it: what escalates matters more than its level says. */
export async function raisePriority(
  trx: StateTransaction,
  { issueIds, nowMs }: Pick<Doing, 'issueIds' | 'nowMs'>,
): Promise<void> {
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = await readPriorities(trx, chunk);
    const lower = rows.filter((row) => row.priority_locked === 0 && priorityOf(row) !== 'high');
    if (!lower.length) continue;
    const ids = lower.map(({ id }) => id);
    await trx.updateTable('issue').set({ priority: 'high' }).where('id', 'in', ids).execute();
    await note(
      trx,
      ids.map((id) => ({ id, priority: 'high' })),
      { userId: null, nowMs, reason: 'escalating' },
    );
  }
}

/** Back to what they were, where they are still as `priority` left them. */
export async function restorePriorityIn(
  trx: StateTransaction,
  before: ReadonlyMap<number, PriorityBefore>,
  priority: Priority | null,
  { userId, nowMs }: Pick<Doing, 'userId' | 'nowMs'>,
): Promise<number[]> {
  const rows = await readPriorities(trx, [...before.keys()]);
  const still = rows.filter((row) => row.priority === priority && row.priority_locked === (priority === null ? 0 : 1));
  const formerOf = (id: number): PriorityBefore => before.get(id) ?? { priority: null, locked: 0 };
  for (const same of Map.groupBy(still, ({ id }) => JSON.stringify(formerOf(id))).values()) {
    const [first] = same;
    if (!first) continue;
    const former = formerOf(first.id);
    await trx
      .updateTable('issue')
      .set({ priority: former.priority, priority_locked: former.locked })
      .where(
        'id',
        'in',
        same.map(({ id }) => id),
      )
      .execute();
  }
  await note(
    trx,
    still.map(({ id, level }) => ({ id, priority: priorityOf({ priority: formerOf(id).priority, level }) })),
    { userId, nowMs, reason: 'undo' },
  );
  return still.map(({ id }) => id);
}

const readPriorities = (trx: StateTransaction, ids: readonly number[]) =>
  trx
    .selectFrom('issue')
    .select(['id', 'level', 'priority', 'priority_locked'])
    .where('id', 'in', ids)
    .where('merged_into', 'is', null)
    .execute();

const note = (
  trx: StateTransaction,
  changes: readonly { readonly id: number; readonly priority: Priority }[],
  { userId, nowMs, reason }: { userId: string | null; nowMs: number; reason: 'user' | 'escalating' | 'undo' },
): Promise<number[]> =>
  noteActivity(
    trx,
    changes.map(({ id, priority }) => ({
      issueId: id,
      type: 'set_priority',
      userId,
      data: { priority, reason },
      at: nowMs,
    })),
  );
