/**
 * The states of an issue, and what moves it from one to another.
 *
 * **Unresolved**: `new` since it was first seen, `regressed` since it came back after it was resolved, `escalating` since
 * it grew beyond its forecast. Seven days after that, or when somebody says that it was looked at, each of them is `ongoing`.
 *
 * **Resolved**: `resolved` at a moment, so that any later event brings it back; `in_next_release`, so that only an event of
 * a release newer than those known then does; `in_release`, so that only an event of that release or a newer one does;
 * `in_commit` while no release has the commit yet, and no event brings it back; once one has it, it is `in_release`.
 * Events without a release go by time. A commit whose message names an issue resolves it in the release that it came with.
 *
 * **Archived**: `archived_until_escalating` until it grows beyond its forecast; `archived_until_condition_met` until a
 * time, or a number of events or users; `archived_forever` until somebody opens it again.
 *
 * People move it from everywhere to everywhere but to the unresolved states that only events make. What does not apply to a
 * state is ignored: an event seen again moves only what is resolved, an outgrown forecast only what is `ongoing` or waits for it.
 */
import type { IssueStatus } from '../../../ports/state/schema.ts';
import type { ActivityType } from '../activity.ts';

export type IssueState =
  | 'new'
  | 'ongoing'
  | 'escalating'
  | 'regressed'
  | 'resolved'
  | 'in_next_release'
  | 'in_release'
  | 'in_commit'
  | 'archived_until_escalating'
  | 'archived_until_condition_met'
  | 'archived_forever';

/** What people do; what a commit, an event, the number of events, or time does. */
export type Trigger =
  | 'resolve'
  | 'resolve_in_next_release'
  | 'resolve_in_release'
  | 'resolve_in_commit'
  | 'archive_until_escalating'
  | 'archive_until_condition_met'
  | 'archive_forever'
  | 'reopen'
  | 'review'
  | 'commit_named'
  | 'commit_released'
  | 'seen_again'
  | 'condition_met'
  | 'outgrown'
  | 'wait_over'
  | 'settled';

type Row = Readonly<Record<Trigger, IssueState | 'ignored'>>;

const ignored: Row = {
  resolve: 'ignored',
  resolve_in_next_release: 'ignored',
  resolve_in_release: 'ignored',
  resolve_in_commit: 'ignored',
  archive_until_escalating: 'ignored',
  archive_until_condition_met: 'ignored',
  archive_forever: 'ignored',
  reopen: 'ignored',
  review: 'ignored',
  commit_named: 'ignored',
  commit_released: 'ignored',
  seen_again: 'ignored',
  condition_met: 'ignored',
  outgrown: 'ignored',
  wait_over: 'ignored',
  settled: 'ignored',
};

/** From wherever it is. Said once more with other details, the details change. */
const decided = {
  ...ignored,
  resolve: 'resolved',
  resolve_in_next_release: 'in_next_release',
  resolve_in_release: 'in_release',
  resolve_in_commit: 'in_commit',
  archive_until_escalating: 'archived_until_escalating',
  archive_until_condition_met: 'archived_until_condition_met',
  archive_forever: 'archived_forever',
  commit_named: 'in_release',
} as const satisfies Row;

const closed = { ...decided, reopen: 'ongoing' } as const satisfies Row;
const watched = { ...decided, review: 'ongoing', settled: 'ongoing' } as const satisfies Row;

export const machine: Readonly<Record<IssueState, Row>> = {
  new: watched,
  regressed: watched,
  escalating: watched,
  ongoing: { ...decided, outgrown: 'escalating' },
  resolved: { ...closed, resolve: 'ignored', seen_again: 'regressed' },
  in_next_release: { ...closed, seen_again: 'regressed' },
  in_release: { ...closed, commit_named: 'ignored', seen_again: 'regressed' },
  in_commit: { ...closed, commit_released: 'in_release' },
  archived_until_escalating: { ...closed, archive_until_escalating: 'ignored', outgrown: 'escalating' },
  archived_until_condition_met: { ...closed, condition_met: 'ongoing', wait_over: 'ongoing' },
  archived_forever: { ...closed, archive_forever: 'ignored' },
};

export const next = (state: IssueState, trigger: Trigger): IssueState | 'ignored' => machine[state][trigger];

export const activityOfTrigger: Readonly<Record<Trigger, ActivityType>> = {
  resolve: 'set_resolved',
  resolve_in_next_release: 'set_resolved_in_release',
  resolve_in_release: 'set_resolved_in_release',
  resolve_in_commit: 'set_resolved_by_commit',
  archive_until_escalating: 'set_archived',
  archive_until_condition_met: 'set_archived',
  archive_forever: 'set_archived',
  reopen: 'set_unresolved',
  review: 'set_ongoing',
  commit_named: 'set_resolved_by_commit',
  commit_released: 'set_resolved_in_release',
  seen_again: 'set_regression',
  condition_met: 'archived_condition_met',
  outgrown: 'set_escalating',
  wait_over: 'archived_condition_met',
  settled: 'set_ongoing',
};

const statuses: Readonly<Record<IssueState, IssueStatus>> = {
  new: 'unresolved',
  ongoing: 'unresolved',
  escalating: 'unresolved',
  regressed: 'unresolved',
  resolved: 'resolved',
  in_next_release: 'resolved',
  in_release: 'resolved',
  in_commit: 'resolved',
  archived_until_escalating: 'archived',
  archived_until_condition_met: 'archived',
  archived_forever: 'archived',
};

export interface Standing {
  readonly status: IssueStatus;
  readonly substatus: string | null;
}

/** As the columns of an issue have it. */
export const standingOf = (state: IssueState): Standing => ({
  status: statuses[state],
  substatus: state === 'resolved' ? null : state,
});

const isState = (text: string): text is IssueState => Object.hasOwn(machine, text);

/** The state that the columns of an issue say; the plainest of its status where they say none. */
export function stateOf({ status, substatus }: Standing): IssueState {
  if (substatus !== null && isState(substatus) && statuses[substatus] === status) return substatus;
  return status === 'unresolved' ? 'ongoing' : status === 'resolved' ? 'resolved' : 'archived_forever';
}

/** After this long what is new, came back or grew is what goes on. */
export const settledAfterMs = 7 * 86_400_000;

/** One first seen then, ms since the epoch, is new until this moment: however late its events came, or were joined to it. */
export const newUntil = (firstSeen: number): number => firstSeen + settledAfterMs;

/** The column that says so, of an issue that was seen before it was known to be; nothing where it is not new. */
export const settling = ({ substatus }: Pick<Standing, 'substatus'>, firstSeen: number): { moves_at?: number } =>
  substatus === 'new' ? { moves_at: newUntil(firstSeen) } : {};

/** When time alone moves it on; null for never. `until` is the end of the time for which it is archived. */
export function movesAt(state: IssueState, nowMs: number, until: number | undefined): number | null {
  if (machine[state].settled !== 'ignored') return nowMs + settledAfterMs;
  return machine[state].wait_over === 'ignored' ? null : (until ?? null);
}
