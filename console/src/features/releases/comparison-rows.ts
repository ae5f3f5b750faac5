/** The numbers of two releases next to each other. Pure. */
import * as counts from '../../messages/event-count.ts';
import * as m from '../../messages/release-comparison.ts';
import { compactNumber, fixedNumber, roundedNumber, times } from '../../ui/numbers.ts';
import { type Change, changeOf, milliseconds, share } from '../performance/words.ts';
import type { Comparison, ComparedNumbers } from './health-queries.ts';
import { badShare, freeShare } from './health-words.ts';

export interface ComparedRow {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Of estimates, how sure they are, in words. */
  readonly about: { readonly before: string | undefined; readonly after: string | undefined };
  readonly change: Change | undefined;
}

interface Measure {
  readonly label: string;
  readonly of: (numbers: ComparedNumbers) => number | null;
  readonly format: (value: number) => string;
  readonly good: 'up' | 'down' | 'none';
  /** What changes is this instead: from 99.9 % to 99.5 %, five times as many crash. */
  readonly judged?: (value: number) => number;
  /** It is the number of errors divided by that, which is exact. */
  readonly errorsPer?: (numbers: ComparedNumbers) => number;
}

const opposite = (value: number): number => 1 - value;
const perUnit = (value: number): string => (value >= 10 ? compactNumber(value) : roundedNumber(value, 3));

const measures: readonly Measure[] = [
  {
    label: m.measures.crashFreeSessions,
    of: ({ crashFreeSessions }) => crashFreeSessions,
    format: freeShare,
    good: 'down',
    judged: opposite,
  },
  {
    label: m.measures.crashFreeUsers,
    of: ({ crashFreeUsers }) => crashFreeUsers,
    format: freeShare,
    good: 'down',
    judged: opposite,
  },
  {
    label: m.measures.unhandled,
    of: ({ sessions }) => (sessions.total ? sessions.unhandled / sessions.total : null),
    format: badShare,
    good: 'down',
  },
  {
    label: m.measures.errorsPerSession,
    of: ({ errorsPerSession }) => errorsPerSession,
    format: perUnit,
    good: 'down',
    errorsPer: ({ sessions }) => sessions.total,
  },
  {
    label: m.measures.errorsPerTransaction,
    of: ({ errorsPerRequest }) => errorsPerRequest,
    format: perUnit,
    good: 'down',
    errorsPer: ({ requests }) => requests,
  },
  { label: m.measures.failedTransactions, of: ({ failureRate }) => failureRate, format: share, good: 'down' },
  { label: m.measures.p95, of: ({ p95Ms }) => p95Ms, format: milliseconds, good: 'down' },
  ...(['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const).map((vital): Measure => ({
    label: m.vitalP75({ vital: vital.toUpperCase() }),
    of: ({ vitals }) => vitals.find((one) => one.vital === vital)?.p75 ?? null,
    format: vital === 'cls' ? (value) => fixedNumber(value, 2) : milliseconds,
    good: 'down',
  })),
  { label: m.measures.sessions, of: ({ sessions }) => sessions.total || null, format: compactNumber, good: 'none' },
  { label: m.measures.users, of: ({ users }) => users.total || null, format: compactNumber, good: 'none' },
  { label: m.measures.transactions, of: ({ requests }) => requests || null, format: compactNumber, good: 'none' },
  {
    label: m.measures.errors,
    of: ({ events }) => events,
    format: compactNumber,
    good: 'none',
    errorsPer: () => 1,
  },
];

/** What neither of them has is left out. */
export function comparisonRows({ from, to }: Pick<Comparison, 'from' | 'to'>): ComparedRow[] {
  return measures.flatMap(({ label, of, format, good, judged = same, errorsPer }) => {
    const [before, after] = [of(from.numbers), of(to.numbers)];
    if (before === null && after === null) return [];
    const text = (value: number | null, about: string | undefined): string => {
      if (value === null) return '–';
      return about === undefined ? format(value) : counts.short({ count: format(value) });
    };
    const about = {
      before: errorsPer && aboutErrors(from.numbers, errorsPer(from.numbers)),
      after: errorsPer && aboutErrors(to.numbers, errorsPer(to.numbers)),
    };
    const change =
      before === null || after === null || good === 'none'
        ? undefined
        : changeOf(judged(after), judged(before), good, (value) => format(judged(value)));
    const told = text(before, about.before);
    return [
      {
        label,
        before: told,
        after: text(after, about.after),
        about,
        change: change && inReleases(change, told, judged !== same),
      },
    ];
  });
}

const same = (value: number): number => value;

const aboutErrors = ({ events, estimated }: ComparedNumbers, per: number): string | undefined =>
  estimated && per > 0
    ? counts.about({ count: events / per, low: estimated.low / per, high: estimated.high / per })
    : undefined;

/** The change, told of releases and not of times. */
function inReleases({ direction, text, tone }: Change, before: string, ofCrashes: boolean): Change {
  const sentence = m.directions[direction]({ change: text, before });
  if (!ofCrashes || direction === 'same') return { direction, text, tone, sentence };
  return { direction, tone, text: m.crashes({ change: text }), sentence: m.crashesSentence({ sentence }) };
}

/** `3.2× as frequent`, `5× less frequent`; '' where it is unknown. */
export function factorWords(factor: number | null): string {
  if (factor === null || !(factor > 0)) return '';
  return factor >= 1 ? m.moreOften({ factor: times(factor) }) : m.lessOften({ factor: times(1 / factor) });
}
