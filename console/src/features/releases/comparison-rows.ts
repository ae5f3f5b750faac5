/** The numbers of two releases beside each other. Pure. */
import { compactNumber, fixedNumber, roundedNumber, times } from '../../ui/numbers.ts';
import { type Change, changeOf, milliseconds, share } from '../performance/words.ts';
import type { Comparison, ComparedNumbers } from './health-queries.ts';
import { badShare, freeShare } from './health-words.ts';

export interface ComparedRow {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  readonly change: Change | undefined;
}

interface Measure {
  readonly label: string;
  readonly of: (numbers: ComparedNumbers) => number | null;
  readonly format: (value: number) => string;
  readonly good: 'up' | 'down' | 'none';
  /** What changes is told of this instead: of 99.9 % to 99.5 % that five times as many crash. */
  readonly judged?: (value: number) => number;
}

const opposite = (value: number): number => 1 - value;
const perUnit = (value: number): string => (value >= 10 ? compactNumber(value) : roundedNumber(value, 3));

const measures: readonly Measure[] = [
  {
    label: 'Crash-free sessions',
    of: ({ crashFreeSessions }) => crashFreeSessions,
    format: freeShare,
    good: 'down',
    judged: opposite,
  },
  {
    label: 'Crash-free users',
    of: ({ crashFreeUsers }) => crashFreeUsers,
    format: freeShare,
    good: 'down',
    judged: opposite,
  },
  {
    label: 'Unhandled errors, of sessions',
    of: ({ sessions }) => (sessions.total ? sessions.unhandled / sessions.total : null),
    format: badShare,
    good: 'down',
  },
  { label: 'Errors per session', of: ({ errorsPerSession }) => errorsPerSession, format: perUnit, good: 'down' },
  { label: 'Errors per transaction', of: ({ errorsPerRequest }) => errorsPerRequest, format: perUnit, good: 'down' },
  { label: 'Failed transactions', of: ({ failureRate }) => failureRate, format: share, good: 'down' },
  { label: 'Transactions, p95', of: ({ p95Ms }) => p95Ms, format: milliseconds, good: 'down' },
  ...(['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const).map((vital): Measure => ({
    label: `${vital.toUpperCase()}, p75`,
    of: ({ vitals }) => vitals.find((one) => one.vital === vital)?.p75 ?? null,
    format: vital === 'cls' ? (value) => fixedNumber(value, 2) : milliseconds,
    good: 'down',
  })),
  { label: 'Sessions', of: ({ sessions }) => sessions.total || null, format: compactNumber, good: 'none' },
  { label: 'Users', of: ({ users }) => users.total || null, format: compactNumber, good: 'none' },
  { label: 'Transactions', of: ({ requests }) => requests || null, format: compactNumber, good: 'none' },
  { label: 'Errors', of: ({ events }) => events, format: compactNumber, good: 'none' },
];

/** What neither of them has is left out. */
export function comparisonRows({ from, to }: Pick<Comparison, 'from' | 'to'>): ComparedRow[] {
  return measures.flatMap(({ label, of, format, good, judged = same }) => {
    const [before, after] = [of(from.numbers), of(to.numbers)];
    if (before === null && after === null) return [];
    const text = (value: number | null): string => (value === null ? '–' : format(value));
    const change =
      before === null || after === null || good === 'none'
        ? undefined
        : changeOf(judged(after), judged(before), good, (value) => format(judged(value)));
    return [{ label, before: text(before), after: text(after), change: change && inReleases(change, judged !== same) }];
  });
}

const same = (value: number): number => value;

function inReleases(change: Change, ofCrashes: boolean): Change {
  const sentence = change.sentence.replace('the period before', 'the release before');
  if (!ofCrashes || change.direction === 'same') return { ...change, sentence };
  return { ...change, text: `${change.text} crashes`, sentence: `Crashes: ${sentence}` };
}

/** What events are counted against, for the rates of issues. */
export const basisWords: Readonly<Record<Comparison['basis'], string>> = {
  sessions: 'per session',
  requests: 'per transaction',
  hours: 'per hour that each was seen',
};

/** `3.2× as often`, `a fifth as often`; '' where it cannot be told. */
export function factorWords(factor: number | null): string {
  if (factor === null || !(factor > 0)) return '';
  return factor >= 1 ? `${times(factor)} as often` : `${times(1 / factor)} less often`;
}
