/** What happened to an issue, in words. Pure; what was stored is not trusted to be whole. */
import * as m from '../../messages/activity.ts';
import { groupingActivityWords } from '../grouping/activity-words.ts';
import { archivedUntil } from '../triage/actions.ts';

export interface Entry {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `prefix` is that of the project's short ids. */
export function activityWords(entry: Entry, prefix: string): string {
  const { type, data } = entry;
  if (data['undo'] === true) return m.undone;
  const version = text(data['version']);
  switch (type) {
    case 'set_resolved_in_release': {
      const after = text(data['currentVersion']);
      if (data['inNextRelease'] === true) return after ? m.resolvedAfter({ version: after }) : m.resolvedNext;
      if (!version) return m.resolvedSomeRelease;
      return text(data['commit']) ? m.resolvedInWith({ version, commit: commit(data) }) : m.resolvedIn({ version });
    }
    case 'set_resolved_in_commit': {
      const by = { commit: commit(data) };
      const what = version ? m.resolvedByIn({ ...by, version }) : m.resolvedBy(by);
      const message = text(data['message']).slice(0, 120);
      return message ? m.withMessage({ what, message }) : what;
    }
    case 'set_regression':
      return version ? m.regressedIn({ version }) : m.regressed;
    case 'set_escalating': {
      const [count, expected] = [number(data['count']), number(data['forecast'])];
      return count > 0 ? m.escalatingBy({ count, expected }) : m.escalating;
    }
    case 'set_ignored': {
      const condition = archived(data);
      return condition ? m.archivedUntil({ condition }) : m.archived;
    }
    case 'archived_condition_met':
      return conditionMet(data);
    case 'assigned':
      return m.assigned[reasonOf(m.assigned, data['why'])]({ name: assignee(data) });
    case 'unassigned':
      return m.unassigned;
    case 'set_priority': {
      const given = text(data['priority']);
      const priority = Object.hasOwn(m.priorities, given) ? m.priorities[given as keyof typeof m.priorities] : given;
      return m.priority[reasonOf(m.priority, data['reason'])]({ priority });
    }
    case 'set_limit':
      return limitWords(data['limit']);
    case 'joined': {
      const joined = data['number'];
      return m.joined({ issue: typeof joined === 'number' ? `${prefix}-${joined}` : m.anotherIssue });
    }
    default:
      return plain.get(type) ?? groupingActivityWords(entry, prefix) ?? type.replaceAll('_', ' ');
  }
}

function limitWords(limit: unknown): string {
  if (typeof limit !== 'object' || limit === null) return m.limit.none;
  const { events, per } = limit as Readonly<Record<string, unknown>>;
  return m.limit[per === 'minute' ? 'minute' : 'hour']({ count: number(events) });
}

const plain: ReadonlyMap<string, string> = new Map(Object.entries(m.kinds));

/** The text for a reason; `plain` for one that has none. */
const reasonOf = <T extends { readonly plain: unknown }>(texts: T, reason: unknown): keyof T =>
  typeof reason === 'string' && Object.hasOwn(texts, reason) ? (reason as keyof T) : 'plain';

function assignee(data: Entry['data']): string {
  const name = text(data['assigneeName']) || text(data['assigneeEmail']) || m.someone;
  return text(data['assigneeType']) === 'team' ? `#${name}` : name;
}

function archived(data: Entry['data']): string {
  const to = text(data['to']);
  if (to === 'archived_forever') return archivedUntil({ until: 'forever' });
  if (to === 'archived_until_escalating') return archivedUntil({ until: 'escalating' });
  return conditions(data).reduceRight((rest, first) => (rest ? m.anyOf({ first, rest }) : first), '');
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
  if (events > 0) return m.metEvents({ count: events });
  return users > 0 ? m.metUsers({ count: users }) : m.metTime;
}

const commit = (data: Entry['data']): string => text(data['commit']).slice(0, 12) || m.unknownCommit;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
