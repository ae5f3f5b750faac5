/** A change of issues as a whole: what is to be done, and what each was before, so that it can be that again. */
import type { EventLimit } from '../../../base/event-limit.ts';
import type { Priority } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { limitIn, restoreLimitIn } from '../limits/index.ts';
import { changeStatusIn, restoreStatusIn, type StatusChange, type StatusColumns } from '../states/index.ts';
import {
  assignIn,
  type AssignedTo,
  type AssigneeBefore,
  bookmarkIn,
  follow,
  markSeenIn,
  type PriorityBefore,
  restorePriorityIn,
  restoreSubscriptionsIn,
  setPriorityIn,
  shareIn,
  subscribeIn,
  type SubscriptionBefore,
  unassignIn,
} from '../work/index.ts';
import { hideIn, showIn } from './hide.ts';

/** What somebody asked for; what is left out stays as it is. */
export interface IssueChange {
  readonly status?: StatusChange | undefined;
  /** Null: nobody. */
  readonly assignee?: AssignedTo | null | undefined;
  /** Null: as the level says. */
  readonly priority?: Priority | null | undefined;
  readonly isBookmarked?: boolean | undefined;
  readonly isSubscribed?: boolean | undefined;
  readonly hasSeen?: boolean | undefined;
  readonly isPublic?: boolean | undefined;
  /** Null: all events are stored. */
  readonly eventLimit?: EventLimit | null | undefined;
  /** Alone: hidden first, then deleted; discarded ones do not come back. */
  readonly remove?: 'delete' | 'discard' | undefined;
}

/** What an issue was, as far as the change made it different. JSON in the store. */
export interface IssueBefore {
  status?: StatusColumns;
  assignee?: AssigneeBefore;
  priority?: PriorityBefore;
  bookmarked?: boolean;
  subscription?: SubscriptionBefore | null;
  shared?: boolean;
  eventLimit?: EventLimit | null;
  /** Of one that was hidden, to be deleted: the status that it had. */
  hidden?: StatusColumns['status'];
}

interface By {
  readonly userId: string;
  /** ms since the epoch. Of the whole change, also where it is made in parts. */
  readonly nowMs: number;
}

/** What each of the issues was that are different now. Of a `few` issues who changes their status is told what becomes of them. */
export async function applyChange(
  trx: StateTransaction,
  issueIds: readonly number[],
  change: IssueChange,
  { userId, nowMs, few }: By & { readonly few: boolean },
): Promise<Map<number, IssueBefore>> {
  const before = new Map<number, IssueBefore>();
  const note = (id: number, was: IssueBefore): void => {
    before.set(id, { ...before.get(id), ...was });
  };
  const doing = { issueIds, userId, nowMs };
  if (change.status) {
    const changed = await changeStatusIn(trx, { ...doing, change: change.status });
    for (const { id, before: status } of changed) note(id, { status });
    if (few) await follow(trx, { ...doing, issueIds: changed.map(({ id }) => id) }, 'changed');
  }
  if (change.assignee !== undefined) {
    const to = change.assignee;
    const changed = await assignIn(trx, { issueIds, to, byUserId: userId, why: 'user', many: !few, nowMs });
    for (const [id, assignee] of changed) note(id, { assignee });
  }
  if (change.priority !== undefined) {
    for (const [id, priority] of await setPriorityIn(trx, doing, change.priority)) note(id, { priority });
  }
  if (change.isBookmarked !== undefined) {
    const on = change.isBookmarked;
    for (const id of await bookmarkIn(trx, doing, on)) note(id, { bookmarked: !on });
  }
  if (change.isSubscribed !== undefined) {
    for (const [id, subscription] of await subscribeIn(trx, doing, change.isSubscribed)) note(id, { subscription });
  }
  if (change.isPublic !== undefined) {
    const on = change.isPublic;
    for (const id of await shareIn(trx, doing, on)) note(id, { shared: !on });
  }
  if (change.eventLimit !== undefined) {
    for (const [id, eventLimit] of await limitIn(trx, doing, change.eventLimit)) note(id, { eventLimit });
  }
  // Nobody takes back that they have seen something.
  if (change.hasSeen !== undefined) await markSeenIn(trx, doing, change.hasSeen);
  if (change.remove) {
    for (const [id, hidden] of await hideIn(trx, issueIds)) note(id, { hidden });
  }
  return before;
}

/** `before` by id of the issue. What somebody has changed again since stays. `changedAt`: when the change was asked for. */
export async function undoChange(
  trx: StateTransaction,
  before: ReadonlyMap<number, IssueBefore>,
  change: IssueChange,
  { userId, nowMs, changedAt }: By & { readonly changedAt: number },
): Promise<void> {
  const of = <Key extends keyof IssueBefore>(key: Key): Map<number, NonNullable<IssueBefore[Key]>> =>
    new Map([...before].flatMap(([id, was]) => (was[key] === undefined || was[key] === null ? [] : [[id, was[key]]])));
  const idsOf = (key: keyof IssueBefore): number[] => [...before].flatMap(([id, was]) => (key in was ? [id] : []));
  const by = { userId, nowMs };
  if (change.remove) await showIn(trx, of('hidden'));
  if (change.status) {
    const issues = [...of('status')].map(([id, was]) => ({ id, before: was }));
    await restoreStatusIn(trx, { issues, changedAt, userId, nowMs });
  }
  if (change.assignee !== undefined) {
    await unassignIn(trx, of('assignee'), { to: change.assignee, byUserId: userId, nowMs });
  }
  if (change.priority !== undefined) await restorePriorityIn(trx, of('priority'), change.priority, by);
  if (change.isBookmarked !== undefined) {
    await bookmarkIn(trx, { issueIds: idsOf('bookmarked'), ...by }, !change.isBookmarked);
  }
  if (change.isSubscribed !== undefined) {
    const was = new Map(
      [...before].flatMap(([id, one]) => ('subscription' in one ? [[id, one.subscription ?? null]] : [])),
    );
    await restoreSubscriptionsIn(trx, was, by);
  }
  if (change.isPublic !== undefined) await shareIn(trx, { issueIds: idsOf('shared'), ...by }, !change.isPublic);
  if (change.eventLimit !== undefined) {
    const was = new Map(
      [...before].flatMap(([id, one]) => ('eventLimit' in one ? [[id, one.eventLimit ?? null]] : [])),
    );
    await restoreLimitIn(trx, was, change.eventLimit, by);
  }
}
