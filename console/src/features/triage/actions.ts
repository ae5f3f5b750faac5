/** What can be done with an issue: what the server is told, what the screen shows at once, and the words for it. Pure. */
import type { Schemas } from '../../api/client.ts';
import type { Issue } from '../issues/queries.ts';
import { plural } from '../../ui/numbers.ts';

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
  /** After the name of what was changed: `resolved in the next release`. */
  readonly done: string;
}

export type ResolveHow =
  | { readonly in: 'now' }
  | { readonly in: 'next' }
  /** `latest` for the newest. */
  | { readonly in: 'release'; readonly version: string; readonly name?: string }
  | { readonly in: 'commit'; readonly commit: string };

export function resolve(how: ResolveHow = { in: 'now' }): Action {
  const of = (statusDetails: NonNullable<IssueChange['statusDetails']>, done: string): Action => ({
    change: { status: 'resolved', statusDetails },
    patch: { status: 'resolved', substatus: null, statusDetails },
    done,
  });
  switch (how.in) {
    case 'now':
      return of({}, 'resolved');
    case 'next':
      return of({ inNextRelease: true }, 'resolved in the next release');
    case 'release':
      return of(
        { inRelease: how.version },
        `resolved in ${how.name ?? (how.version === 'latest' ? 'the newest release' : how.version)}`,
      );
    case 'commit':
      return of({ inCommit: { commit: how.commit } }, `resolved by commit ${how.commit.slice(0, 12)}`);
  }
}

export type ArchiveHow =
  | { readonly until: 'escalating' | 'forever' }
  | { readonly until: 'time'; readonly minutes: number }
  /** Further ones; within so many minutes when these are given. */
  | { readonly until: 'events' | 'users'; readonly count: number; readonly minutes?: number | undefined };

export function archive(how: ArchiveHow = { until: 'escalating' }): Action {
  const of = (substatus: string, statusDetails: NonNullable<IssueChange['statusDetails']>): Action => ({
    change: { status: 'ignored', substatus, statusDetails },
    patch: { status: 'ignored', substatus, statusDetails },
    done: `archived ${archivedUntil(how)}`,
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

/** `until 100 more events within an hour`, `for 1 day`, `forever`. */
export function archivedUntil(how: ArchiveHow): string {
  switch (how.until) {
    case 'escalating':
      return 'until it escalates';
    case 'forever':
      return 'forever';
    case 'time':
      return `for ${span(how.minutes)}`;
    case 'events':
    case 'users': {
      const what = plural(how.count, `more ${how.until.slice(0, -1)}`);
      return `until ${what}${how.minutes === undefined ? '' : ` within ${span(how.minutes)}`}`;
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
  const [unit, size] = units.find(([, each]) => minutes >= each && minutes % each === 0) ?? ['minute', 1];
  return plural(minutes / size, unit);
}

export const reopen: Action = {
  change: { status: 'unresolved' },
  patch: { status: 'unresolved', substatus: 'ongoing', statusDetails: {} },
  done: 'reopened',
};

/** It was looked at: no longer for review. */
export const review: Action = {
  change: { status: 'unresolved', substatus: 'ongoing' },
  patch: { status: 'unresolved', substatus: 'ongoing', statusDetails: {} },
  done: 'marked as reviewed',
};

export function assign(to: Assignee | null): Action {
  return {
    change: { assignedTo: to ? `${to.type}:${to.id}` : '' },
    patch: { assignedTo: to },
    done: to ? `assigned to ${assigneeName(to)}` : 'unassigned',
  };
}

export const assigneeName = ({ type, name, email }: Pick<Assignee, 'type' | 'name' | 'email'>): string =>
  type === 'team' ? `#${name}` : name || email || 'somebody';

export const priorities = ['high', 'medium', 'low'] as const;

export const setPriority = (priority: Priority): Action => ({
  change: { priority },
  patch: { priority },
  done: `set to ${priority} priority`,
});

export const bookmark = (on: boolean): Action => ({
  change: { isBookmarked: on },
  patch: { isBookmarked: on },
  done: on ? 'bookmarked' : 'removed from your bookmarks',
});

export const subscribe = (on: boolean): Action => ({
  change: { isSubscribed: on },
  patch: { isSubscribed: on },
  done: on ? 'subscribed' : 'unsubscribed',
});

/** `WEB-1`, `12 issues`: what an action was done with. */
export function targetName(issues: readonly { readonly shortId: string }[]): string {
  const [only] = issues;
  return issues.length === 1 && only ? only.shortId : plural(issues.length, 'issue');
}
