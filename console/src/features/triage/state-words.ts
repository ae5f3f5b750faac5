/** The state of an issue in words, with the reason. Pure; what the server says of a status is not trusted to be whole. */
import type { FlagKind } from '../../ui/Flag.tsx';
import { shortDistance } from '../../ui/relative-time.ts';
import type { Issue } from '../issues/queries.ts';
import { archivedUntil, type ArchiveHow } from './actions.ts';

export interface StateWords {
  readonly kind: FlagKind;
  /** `archived`, `escalating`. */
  readonly word: string;
  /** `until 100 more events`, `in 4f2c1`; '' where the word says it all. */
  readonly how: string;
  /** By whom, where somebody did it; '' else. */
  readonly by: string;
}

const unresolved = [
  { kind: 'new', how: 'first seen within seven days' },
  { kind: 'regressed', how: 'came back after it was resolved' },
  { kind: 'escalating', how: 'more events than its history lets expect' },
] as const;

export function stateWords(
  { status, substatus, statusDetails }: Pick<Issue, 'status' | 'substatus' | 'statusDetails'>,
  now: number,
): StateWords {
  const details: Readonly<Record<string, unknown>> = statusDetails;
  const by = nameOf(details['actor']);
  if (status === 'resolved') return { kind: 'resolved', word: 'resolved', how: resolvedHow(details, substatus), by };
  if (status === 'ignored')
    return { kind: 'archived', word: 'archived', how: archivedHow(details, substatus, now), by };
  const known = unresolved.find(({ kind }) => kind === substatus);
  return known ? { ...known, word: known.kind, by } : { kind: 'plain', word: 'unresolved', how: '', by };
}

function resolvedHow(details: Readonly<Record<string, unknown>>, substatus: string | null): string {
  if (details['inNextRelease'] === true || substatus === 'in_next_release') return 'in the next release';
  const release = text(details['inRelease']) || text(field(details['inRelease'], 'version'));
  if (release) return `in ${release === 'latest' ? 'the newest release' : withShortHash(release)}`;
  const commit = details['inCommit'];
  const id = text(field(commit, 'id')) || text(field(commit, 'commit')) || text(commit);
  if (id) return `by commit ${id.slice(0, 12)}, once a release has it`;
  return details['autoResolved'] === true ? 'automatically, after a long silence' : '';
}

function archivedHow(details: Readonly<Record<string, unknown>>, substatus: string | null, now: number): string {
  if (substatus === 'archived_forever') return archivedUntil({ until: 'forever' });
  if (substatus === 'archived_until_escalating') return archivedUntil({ until: 'escalating' });
  const until = Date.parse(text(details['ignoreUntil']));
  const minutes = count(details['ignoreDuration']);
  const conditions = [
    Number.isFinite(until)
      ? until > now
        ? `for another ${shortDistance(until, now)}`
        : 'until now'
      : minutes && archivedUntil({ until: 'time', minutes }),
    counted('events', details['ignoreCount'], details['ignoreWindow'], details['ignoreCountSoFar']),
    counted('users', details['ignoreUserCount'], details['ignoreUserWindow'], details['ignoreUserCountSoFar']),
  ].filter(Boolean);
  return conditions.join(', or ');
}

function counted(until: 'events' | 'users', value: unknown, window: unknown, soFar: unknown): string {
  const how: ArchiveHow = { until, count: count(value), minutes: count(window) || undefined };
  if (how.count === 0) return '';
  return typeof soFar === 'number' ? `${archivedUntil(how)} (${soFar} so far)` : archivedUntil(how);
}

/** With its package: nothing beside it says which one is meant. */
const withShortHash = (version: string): string => version.replace(/(^|@)([0-9a-f]{12})[0-9a-f]{28}$/, '$1$2');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
const nameOf = (actor: unknown): string => text(field(actor, 'name')) || text(field(actor, 'email'));
