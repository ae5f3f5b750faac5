/** Numbers of the issues of a list from what was asked lately, where they follow from nothing but issue and filter. */
import { chunksOf } from '../../../base/chunks.ts';
import type { TimeRange } from '../../../base/time-range.ts';
import type { State } from '../../../ports/state/state.ts';
import type { IssueNumbers, IssueStores } from '../types.ts';
import { middleOf } from './halves.ts';
import { growingNumbers } from './growing.ts';
import type { Question } from './known.ts';
import { lately } from './users/user-set.ts';
import { type NumberedIssue, type NumbersFilter, numbersOf } from './numbers.ts';

/** As many as are filled in with one query. */
const most = 500;
/** With users of both told apart. */
const weight = 8;

export async function knownNumbersOf(
  stores: IssueStores,
  issues: readonly NumberedIssue[],
  filter: NumbersFilter,
  seriesRange: TimeRange = filter.range,
): Promise<Map<number, IssueNumbers>> {
  const { known } = stores;
  const key = keyOf(filter, seriesRange);
  if (!known || key === undefined || issues.length > most) return numbersOf(stores, issues, filter, seriesRange);
  const question: Question<IssueNumbers> = {
    key,
    weight,
    most,
    ahead: true,
    grow: growingNumbers(filter, seriesRange),
    read: (ids, isAgain) => numbersAnew(stores, { ...filter, usersApart: isAgain ? 0 : lately() }, seriesRange)(ids),
    readAgain: numbersAnew(stores, forNobody(filter), seriesRange),
  };
  return known.ask(
    question,
    issues.map(({ id }) => id),
  );
}

/** Issues that may come onto a page whose numbers were asked for. Returns at once. */
export function expectNumbersOf(
  { known }: IssueStores,
  filter: NumbersFilter,
  seriesRange: TimeRange,
  candidates: () => Promise<readonly number[]>,
): void {
  const key = keyOf(filter, seriesRange);
  if (known && key !== undefined) void known.expect(key, candidates);
}

/** Keeps no signal of who asked. */
const forNobody = ({ environments, range, nowMs, halves }: NumbersFilter): NumbersFilter => ({
  projects: [],
  environments,
  range,
  nowMs,
  halves,
  rows: undefined,
  usersApart: 0,
});

const numbersAnew =
  (
    { state, events }: IssueStores,
    filter: NumbersFilter,
    seriesRange: TimeRange,
  ): Question<IssueNumbers>['readAgain'] =>
  async (ids) =>
    numbersOf({ state, events }, await issuesAsTheyAre(state, ids), filter, seriesRange);

/** Since they were looked up, events may have come late, or from another issue: then they were seen before. */
async function issuesAsTheyAre(state: State, ids: readonly number[]): Promise<NumberedIssue[]> {
  const issues: NumberedIssue[] = [];
  for (const chunk of chunksOf(ids)) {
    issues.push(
      ...(await state.db
        .selectFrom('issue')
        .select(['id', 'project_id as projectId', 'first_seen as firstSeen'])
        .where('id', 'in', chunk)
        .execute()),
    );
  }
  return issues;
}

/**
 * Undefined where the answer holds for the moment of asking alone: of ranges that begin within an hour, and where
 * terms about events may name times.
 */
function keyOf({ rows, range, environments, halves }: NumbersFilter, seriesRange: TimeRange): string | undefined {
  if (rows !== undefined || range.grain === 'ms' || seriesRange.grain === 'ms') return undefined;
  const { bucketMs, buckets } = seriesRange;
  return JSON.stringify([
    'numbers',
    ...placeOf(range),
    ...placeOf(seriesRange),
    bucketMs,
    buckets,
    halves ? middleOf(range) : null,
    environments.toSorted(),
  ]);
}

const placeOf = ({ startMs, endMs, open, grain }: TimeRange): readonly unknown[] => [
  startMs,
  open ? null : endMs,
  grain,
];
