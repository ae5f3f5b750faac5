/** What happened to an issue, in words. Pure; what was stored is not trusted to be whole. */
import { exactNumber, plural } from '../../ui/numbers.ts';
import { groupingActivityWords } from '../grouping/activity-words.ts';
import { archivedUntil } from '../triage/actions.ts';

export interface Entry {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const plain: ReadonlyMap<string, string> = new Map(
  Object.entries({
    first_seen: 'First seen',
    set_resolved: 'Resolved',
    set_unresolved: 'Reopened',
    auto_set_ongoing: 'Ongoing: it was new, back or escalating for seven days',
    mark_reviewed: 'Marked as reviewed',
    shared: 'Shared with a public link',
    unshared: 'The shared link was taken back',
    deleted: 'Deleted',
    views_attached: 'Views of this failure in browsers, which had waited for it, were added',
  }),
);

/** `prefix` is that of the project's short ids. */
export function activityWords(entry: Entry, prefix: string): string {
  const { type, data } = entry;
  if (data['undo'] === true) return 'Undone: its status is what it was';
  switch (type) {
    case 'set_resolved_in_release':
      return data['inNextRelease'] === true
        ? `Resolved in the next release${text(data['currentVersion']) && `, after ${text(data['currentVersion'])}`}`
        : `Resolved in ${text(data['version']) || 'a release'}${text(data['commit']) && `, which has commit ${commit(data)}`}`;
    case 'set_resolved_in_commit':
      return `Resolved by commit ${commit(data)}${text(data['version']) && ` in ${text(data['version'])}`}${quoted(data['message'])}`;
    case 'set_regression':
      return `Came back after it was resolved${text(data['version']) && `, in ${text(data['version'])}`}`;
    case 'set_escalating': {
      const [count, expected] = [number(data['count']), number(data['forecast'])];
      return `Escalating${count > 0 ? `: ${plural(count, 'event')} in an hour, where at most ${exactNumber(expected)} were to be expected` : ''}`;
    }
    case 'set_ignored':
      return `Archived ${archived(data)}`.trim();
    case 'archived_condition_met':
      return `Unresolved again: ${conditionMet(data)}`;
    case 'assigned':
      return `Assigned to ${text(data['assigneeType']) === 'team' ? '#' : ''}${text(data['assigneeName']) || text(data['assigneeEmail']) || 'somebody'}${why(data)}`;
    case 'unassigned':
      return 'Unassigned';
    case 'set_priority':
      return `Priority ${text(data['priority'])}${data['reason'] === 'escalating' ? ', since it escalates' : data['reason'] === 'undo' ? ' again' : ''}`;
    case 'joined': {
      const joined = data['number'];
      const other = typeof joined === 'number' ? `${prefix}-${joined}` : 'Another issue';
      return `${other} was joined into this one: with their source maps, its events turned out to be the same`;
    }
    default:
      return plain.get(type) ?? groupingActivityWords(entry, prefix) ?? type.replaceAll('_', ' ');
  }
}

function archived(data: Entry['data']): string {
  const to = text(data['to']);
  if (to === 'archived_forever') return archivedUntil({ until: 'forever' });
  if (to === 'archived_until_escalating') return archivedUntil({ until: 'escalating' });
  return conditions(data).join(', or ');
}

function conditions(data: Entry['data']): string[] {
  const minutes = number(data['ignoreDuration']);
  const counted = (until: 'events' | 'users', count: number, window: number): string =>
    count > 0 ? archivedUntil({ until, count, minutes: window || undefined }) : '';
  return [
    minutes > 0 ? archivedUntil({ until: 'time', minutes: Math.max(1, Math.round(minutes)) }) : '',
    counted('events', number(data['ignoreCount']), number(data['ignoreWindow'])),
    counted('users', number(data['ignoreUserCount']), number(data['ignoreUserWindow'])),
  ].filter(Boolean);
}

function conditionMet(data: Entry['data']): string {
  const events = number(data['ignoreCount']);
  const users = number(data['ignoreUserCount']);
  if (events > 0) return `${plural(events, 'more event')} came`;
  if (users > 0) return `${plural(users, 'more user')} met it`;
  return 'the time for which it was archived is over';
}

function why({ why: reason }: Entry['data']): string {
  if (reason === 'ownership') return ' by the rules of ownership';
  if (reason === 'commit') return ', who wrote the suspect commit';
  if (reason === 'undo') return ' again';
  return '';
}

const commit = (data: Entry['data']): string => text(data['commit']).slice(0, 12) || 'unknown';
const quoted = (value: unknown): string => (text(value) ? `: “${text(value).slice(0, 120)}”` : '');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
