/** The state of an issue in words, with the reason. Pure; what the server says of a status is not trusted to be whole. */
import type { FlagKind } from '../../ui/Flag.tsx';
import * as m from '../../messages/triage.ts';
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

const isSpecial = (substatus: string | null): substatus is keyof typeof m.unresolvedHow =>
  substatus !== null && Object.hasOwn(m.unresolvedHow, substatus);

export function stateWords(
  { status, substatus, statusDetails }: Pick<Issue, 'status' | 'substatus' | 'statusDetails'>,
  now: number,
): StateWords {
  const details: Readonly<Record<string, unknown>> = statusDetails;
  const by = nameOf(details['actor']);
  const of = (kind: keyof typeof m.states, how: string): StateWords => ({ kind, word: m.states[kind], how, by });
  if (status === 'resolved') return of('resolved', resolvedHow(details, substatus));
  if (status === 'ignored') return of('archived', archivedHow(details, substatus, now));
  return isSpecial(substatus) ? of(substatus, m.unresolvedHow[substatus]) : of('plain', '');
}

function resolvedHow(details: Readonly<Record<string, unknown>>, substatus: string | null): string {
  if (details['inNextRelease'] === true || substatus === 'in_next_release') return m.resolvedInNext;
  const release = text(details['inRelease']) || text(field(details['inRelease'], 'version'));
  if (release === 'latest') return m.resolvedInNewest;
  if (release) return m.resolvedIn({ release: withShortHash(release) });
  const commit = details['inCommit'];
  const id = text(field(commit, 'id')) || text(field(commit, 'commit')) || text(commit);
  if (id) return m.resolvedBy({ commit: id.slice(0, 12) });
  return details['autoResolved'] === true ? m.autoResolved : '';
}

function archivedHow(details: Readonly<Record<string, unknown>>, substatus: string | null, now: number): string {
  if (substatus === 'archived_forever') return archivedUntil({ until: 'forever' });
  if (substatus === 'archived_until_escalating') return archivedUntil({ until: 'escalating' });
  const end = Date.parse(text(details['ignoreUntil']));
  const minutes = count(details['ignoreDuration']);
  const time =
    end > now
      ? m.forAnother({ time: shortDistance(end, now) })
      : minutes > 0
        ? archivedUntil({ until: 'time', minutes })
        : '';
  return [
    time,
    counted('events', details['ignoreCount'], details['ignoreWindow'], details['ignoreCountSoFar']),
    counted('users', details['ignoreUserCount'], details['ignoreUserWindow'], details['ignoreUserCountSoFar']),
  ]
    .filter(Boolean)
    .reduce((first, second) => (first ? m.either({ first, second }) : second), '');
}

function counted(until: 'events' | 'users', value: unknown, window: unknown, soFar: unknown): string {
  const how: ArchiveHow = { until, count: count(value), minutes: count(window) || undefined };
  if (how.count === 0) return '';
  const condition = archivedUntil(how);
  return typeof soFar === 'number' ? m.reached({ condition, count: soFar }) : condition;
}

/** With its package: nothing beside it says which one is meant. */
const withShortHash = (version: string): string => version.replace(/(^|@)([0-9a-f]{12})[0-9a-f]{28}$/, '$1$2');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
const nameOf = (actor: unknown): string => text(field(actor, 'name')) || text(field(actor, 'email'));
