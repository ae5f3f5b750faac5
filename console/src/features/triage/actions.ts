/** What can be done with an issue: what is sent, what the screen shows immediately, and the words for it. Pure. */
import type { Schemas } from '../../api/client.ts';
import * as m from '../../messages/triage.ts';
import type { Issue } from '../issues/queries.ts';

export type IssueChange = Schemas['IssueChange'];
export type Assignee = NonNullable<Issue['assignedTo']>;
export type Priority = Issue['priority'];

/** What an action may change of an issue, wherever one is shown. */
export type TriageState = Pick<
  Issue,
  'status' | 'substatus' | 'statusDetails' | 'assignedTo' | 'priority' | 'isBookmarked' | 'isSubscribed'
>;

export interface Action {
  readonly change: IssueChange;
  /** Shown until the server says how it is. */
  readonly patch: Partial<TriageState>;
  /** What was done with that: `WEB-1 resolved in the next release`. */
  readonly done: (name: string) => string;
}

export type ResolveHow =
  | { readonly in: 'now' }
  | { readonly in: 'next' }
  /** `latest` for the newest. */
  | { readonly in: 'release'; readonly version: string; readonly name?: string }
  | { readonly in: 'commit'; readonly commit: string };

export function resolve(how: ResolveHow = { in: 'now' }): Action {
  const of = (statusDetails: NonNullable<IssueChange['statusDetails']>, done: Action['done']): Action => ({
    change: { status: 'resolved', statusDetails },
    patch: { status: 'resolved', substatus: null, statusDetails },
    done,
  });
  switch (how.in) {
    case 'now':
      return of({}, (name) => m.done.resolved({ name }));
    case 'next':
      return of({ inNextRelease: true }, (name) => m.done.resolvedNext({ name }));
    case 'release':
      return of({ inRelease: how.version }, (name) =>
        how.name === undefined && how.version === 'latest'
          ? m.done.resolvedNewest({ name })
          : m.doneResolvedIn({ name, release: how.name ?? how.version }),
      );
    case 'commit':
      return of({ inCommit: { commit: how.commit } }, (name) =>
        m.doneResolvedBy({ name, commit: how.commit.slice(0, 12) }),
      );
  }
}

export type ArchiveHow =
  | { readonly until: 'escalating' | 'forever' }
  | { readonly until: 'time'; readonly minutes: number }
  /** Further ones; within that many minutes, if set. */
  | { readonly until: 'events' | 'users'; readonly count: number; readonly minutes?: number | undefined };

export function archive(how: ArchiveHow = { until: 'escalating' }): Action {
  const of = (substatus: string, statusDetails: NonNullable<IssueChange['statusDetails']>): Action => ({
    change: { status: 'ignored', substatus, statusDetails },
    patch: { status: 'ignored', substatus, statusDetails },
    done: (name) => archivedDone(how, name),
  });
  switch (how.until) {
    case 'escalating':
      return of('archived_until_escalating', {});
    case 'forever':
      return of('archived_forever', {});
    case 'time':
      return of('archived_until_condition_met', { ignoreDuration: how.minutes });
    case 'events':
      return of('archived_until_condition_met', {
        ignoreCount: how.count,
        ...(how.minutes !== undefined && { ignoreWindow: how.minutes }),
      });
    case 'users':
      return of('archived_until_condition_met', {
        ignoreUserCount: how.count,
        ...(how.minutes !== undefined && { ignoreUserWindow: how.minutes }),
      });
  }
}

/** `until 100 more events within an hour`, `for 1 day`, `forever`; `plain` and `within` are other forms of these. */
export function archivedUntil(how: ArchiveHow, plain = m.until, within = m.untilWithin): string {
  switch (how.until) {
    case 'escalating':
    case 'forever':
      return plain[how.until];
    case 'time':
      return plain.time({ time: span(how.minutes) });
    case 'events':
    case 'users': {
      const { until, count, minutes } = how;
      return minutes === undefined ? plain[until]({ count }) : within[until]({ count, time: span(minutes) });
    }
  }
}

function archivedDone(how: ArchiveHow, name: string): string {
  switch (how.until) {
    case 'escalating':
    case 'forever':
      return m.doneArchived[how.until]({ name });
    case 'time':
      return m.doneArchived.time({ name, time: span(how.minutes) });
    case 'events':
    case 'users': {
      const { until, count, minutes } = how;
      return minutes === undefined
        ? m.doneArchived[until]({ name, count })
        : m.doneArchivedWithin[until]({ name, count, time: span(minutes) });
    }
  }
}

const units = [
  ['week', 10_080],
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Minutes in the largest unit that they fill: `1 day`, `90 minutes`. */
export function span(minutes: number): string {
  const [unit, size] = units.find(([, each]) => minutes >= each && minutes % each === 0) ?? (['minute', 1] as const);
  return m.spans[unit]({ count: minutes / size });
}

export const reopen: Action = {
  change: { status: 'unresolved' },
  patch: { status: 'unresolved', substatus: 'ongoing', statusDetails: {} },
  done: (name) => m.done.reopened({ name }),
};

/** It was looked at: no longer for review. */
export const review: Action = {
  change: { status: 'unresolved', substatus: 'ongoing' },
  patch: { status: 'unresolved', substatus: 'ongoing', statusDetails: {} },
  done: (name) => m.done.reviewed({ name }),
};

export function assign(to: Assignee | null): Action {
  return {
    change: { assignedTo: to ? `${to.type}:${to.id}` : '' },
    patch: { assignedTo: to },
    done: (name) => (to ? m.doneAssigned({ name, assignee: assigneeName(to) }) : m.done.unassigned({ name })),
  };
}

export const assigneeName = ({ type, name, email }: Pick<Assignee, 'type' | 'name' | 'email'>): string =>
  type === 'team' ? `#${name}` : name || email || m.someone;

export const priorities = ['high', 'medium', 'low'] as const;

export const setPriority = (priority: Priority): Action => ({
  change: { priority },
  patch: { priority },
  done: (name) => m.done[priority]({ name }),
});

export const bookmark = (on: boolean): Action => ({
  change: { isBookmarked: on },
  patch: { isBookmarked: on },
  done: (name) => (on ? m.done.bookmarked : m.done.unbookmarked)({ name }),
});

export const subscribe = (on: boolean): Action => ({
  change: { isSubscribed: on },
  patch: { isSubscribed: on },
  done: (name) => (on ? m.done.subscribed : m.done.unsubscribed)({ name }),
});

/** `WEB-1`, `12 issues`: what an action was done with. */
export function targetName(issues: readonly { readonly shortId: string }[]): string {
  const [only] = issues;
  return issues.length === 1 && only ? only.shortId : m.issueCount({ count: issues.length });
}
