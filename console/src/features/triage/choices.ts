/** What the menus of triage offer, in their order, and what can be had by typing. Pure. */
import * as m from '../../messages/triage-menus.ts';
import type { ComboboxOption } from '../../ui/combobox-option.ts';
import { type Named, packageOf, releaseName } from '../release-names/names.ts';
import {
  archive,
  archivedUntil,
  assign,
  assigneeName,
  resolve,
  type Action,
  type ArchiveHow,
  type Assignee,
} from './actions.ts';

export interface Choice extends Omit<ComboboxOption, 'icon'> {
  readonly action: Action;
  /** Whom it names, for their picture. */
  readonly assignee?: Assignee;
}

/** Whether all words of what was typed are in the text, each at the start of a word. */
export function isMeant(text: string, typed: string): boolean {
  const words = text.toLowerCase().split(/[\s@#._-]+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every(
      (part) => words.some((word) => word.startsWith(part.replace(/^[#@]/, ''))) || text.toLowerCase().includes(part),
    );
}

const hour = 60;
const day = 24 * hour;

const usual: readonly ArchiveHow[] = [
  { until: 'escalating' },
  { until: 'time', minutes: hour },
  { until: 'time', minutes: day },
  { until: 'time', minutes: 7 * day },
  { until: 'events', count: 100 },
  { until: 'events', count: 100, minutes: hour },
  { until: 'users', count: 10 },
  { until: 'forever' },
];

export function archiveChoices(typed: string): readonly Choice[] {
  const isTyped = typed.trim() !== '';
  const hows = isTyped ? [...readArchive(typed), ...usual.filter((how) => isMeant(labelOf(how), typed))] : usual;
  const choices = hows.map((how): Choice => {
    const label = labelOf(how);
    return {
      id: label,
      label,
      ...(how.until === 'escalating' && { detail: m.escalatingDetail }),
      ...(how.until === 'forever' && { detail: m.foreverDetail }),
      action: archive(how),
    };
  });
  return choices.filter(({ id }, index) => choices.findIndex((each) => each.id === id) === index);
}

const labelOf = (how: ArchiveHow): string => archivedUntil(how, m.untilLabel, m.untilLabelWithin);

const unitMinutes: Readonly<Record<string, number>> = { m: 1, h: hour, d: day, w: 7 * day };
const maxMinutes = 3650 * day;
const maxCount = 1_000_000_000;

/** `500`, `20 users`, `3 d`, `50 events in 2 h`: ways to archive that were typed. */
export function readArchive(typed: string): readonly ArchiveHow[] {
  const found = /^\s*(\d{1,9})\s*([a-z]*)(?:\s+(?:in|within|per)?\s*(\d{1,9})?\s*([a-z]+))?\s*$/i.exec(typed);
  if (!found) return [];
  const [, amount = '', unit = '', windowAmount = '1', windowUnit] = found;
  const count = Math.min(Number(amount), maxCount);
  if (count < 1) return [];
  const window = windowUnit === undefined ? undefined : minutesOf(Number(windowAmount), windowUnit);
  if (windowUnit !== undefined && window === undefined) return [];
  const word = unit.toLowerCase();
  const counted = (until: 'events' | 'users'): ArchiveHow => ({
    until,
    count,
    ...(window !== undefined && { minutes: window }),
  });
  if (word === '') {
    if (window !== undefined) return [counted('events'), counted('users')];
    return [counted('events'), counted('users'), ...times(count, day)];
  }
  if ('events'.startsWith(word) || word === 'times') return [counted('events')];
  if ('users'.startsWith(word)) return [counted('users')];
  const minutes = minutesOf(count, word);
  return minutes === undefined || window !== undefined ? [] : [{ until: 'time', minutes }];
}

const times = (count: number, unit: number): readonly ArchiveHow[] =>
  count * unit <= maxMinutes ? [{ until: 'time', minutes: count * unit }] : [];

function minutesOf(count: number, unit: string): number | undefined {
  const size = /^(?:m|h|d|w|min|minutes?|hours?|days?|weeks?)$/i.test(unit)
    ? unitMinutes[unit[0]?.toLowerCase() ?? '']
    : undefined;
  return size !== undefined && count >= 1 && count * size <= maxMinutes ? count * size : undefined;
}

/** `releases`: newest first; those that what was typed names. `seenIn`: of whose package the next release is meant. */
export function resolveChoices(typed: string, releases: readonly Named[], seenIn?: string): readonly Choice[] {
  const [own, others] = seenIn === undefined ? [releases, []] : ofPackageFirst(releases, packageOf(seenIn));
  const listed = [...own, ...others];
  const [newest] = listed;
  const packages = new Set(listed.map(({ version }) => packageOf(version)));
  const isKnown = packages.size === 1 || (seenIn !== undefined && own.length > 0);
  const choices: readonly Choice[] = [
    { id: 'now', label: m.now, detail: m.nowDetail, action: resolve() },
    {
      id: 'next',
      label: m.nextRelease,
      detail: newest && isKnown ? m.nextReleaseDetail({ release: releaseName(newest, listed) }) : m.afterNewestDetail,
      action: resolve({ in: 'next' }),
    },
    ...listed.map((release, index): Choice => ({
      id: `release ${release.version}`,
      label: m.inRelease({ release: releaseName(release, listed) }),
      ...(index === 0 && typed === '' && isKnown && { detail: m.newestReleaseDetail }),
      action: resolve({ in: 'release', version: release.version, name: releaseName(release, listed) }),
    })),
  ];
  const commit = /^\s*([0-9a-f]{7,40})\s*$/i.exec(typed)?.[1];
  return [
    ...choices.filter(({ id, label }) => isMeant(label, typed) || (typed !== '' && id.includes(typed.trim()))),
    ...(commit
      ? [
          {
            id: `commit ${commit}`,
            label: m.byCommit({ commit: commit.slice(0, 12) }),
            detail: m.byCommitDetail,
            action: resolve({ in: 'commit', commit: commit.toLowerCase() }),
          },
        ]
      : []),
  ];
}

const ofPackageFirst = (
  releases: readonly Named[],
  name: string,
): [own: readonly Named[], others: readonly Named[]] => [
  releases.filter(({ version }) => packageOf(version) === name),
  releases.filter(({ version }) => packageOf(version) !== name),
];

export interface Suggestion {
  readonly assignee: Assignee;
  readonly why: string;
}

export interface Assignable {
  readonly me: Assignee;
  /** Besides oneself. */
  readonly people: readonly Assignee[];
  readonly teams: readonly Assignee[];
  readonly suggested: readonly Suggestion[];
  readonly current: Assignee | null;
}

const maxAssignees = 50;
const same = (a: Assignee, b: Assignee | null): boolean => a.type === b?.type && a.id === b.id;

/** Those that are suggested first, with why; then oneself, teams, people; no one where it is assigned. */
export function assignChoices(typed: string, { me, people, teams, suggested, current }: Assignable): readonly Choice[] {
  const choice = (to: Assignee, why?: string): Choice => ({
    id: `${to.type} ${to.id}`,
    label: same(to, me) ? m.me({ name: assigneeName(to) }) : assigneeName(to),
    detail: why || (to.type === 'user' && to.email !== to.name ? to.email : undefined),
    data: [...(same(to, me) ? [] : (['label'] as const)), ...(why ? [] : (['detail'] as const))],
    ...(same(to, current) && { current: true }),
    assignee: to,
    action: assign(to),
  });
  const isNew = (to: Assignee): boolean => !suggested.some(({ assignee }) => same(assignee, to));
  const others = [me, ...teams, ...people.filter((each) => !same(each, me))].filter(isNew);
  const all = [
    ...suggested.map(({ assignee, why }) => choice(assignee, why)),
    ...others.map((each) => choice(each)),
    ...(current ? [{ id: 'nobody', label: m.unassign, action: assign(null) }] : []),
  ];
  return all
    .filter(({ label, assignee }) => isMeant(`${label} ${assignee?.email ?? ''}`, typed))
    .slice(0, maxAssignees);
}
