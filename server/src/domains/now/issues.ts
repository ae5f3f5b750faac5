/** The issues that the page Now is about: new, back again, or growing. */
import { parseSearch } from '@culprit/search';
import { listIssues, type ListedIssue } from '../issues/index.ts';
import { lastPeriod, type TimeRange } from '../../base/time-range.ts';
import type { LatestChange } from '../releases/index.ts';
import type { State } from '../../ports/state/state.ts';
import { dayMs } from './measure.ts';
import type { IssueCounts, NowRequest, NowStores } from './types.ts';

/** Candidates of one answer: with more nobody counts any more. */
const maxIssues = 100;
/** How long ago a change may be for what is new to be counted from it. */
export const changeCountsMs = 3 * dayMs;

export interface NewsOfIssues {
  readonly issues: readonly ListedIssue[];
  readonly counts: IssueCounts;
  readonly range: TimeRange;
}

export async function newsOfIssues(
  stores: NowStores,
  request: NowRequest,
  change: LatestChange | undefined,
): Promise<NewsOfIssues> {
  const { nowMs } = request;
  const dayAgo = nowMs - dayMs;
  const changedAt = change && nowMs - change.at < changeCountsMs ? change.at : undefined;
  const candidates = await findNews(stores.state.db, request, Math.min(dayAgo, changedAt ?? dayAgo));
  const range = lastPeriod(changedAt !== undefined && changedAt < dayAgo ? '72h' : '24h', nowMs, 48);
  const list = candidates.length
    ? await listIssues(stores, {
        ...request,
        root: parseSearch(`issue.id:[${candidates.join(', ')}]`).root,
        range,
        sort: 'date',
        limit: maxIssues,
      })
    : undefined;
  const issues = list?.rows ?? [];
  const count = (passes: (issue: ListedIssue) => boolean): number => issues.filter(passes).length;
  const isNew = ({ substatus }: ListedIssue): boolean => substatus === 'new';
  return {
    issues,
    range,
    counts: {
      fresh: count((issue) => isNew(issue) && issue.firstSeen >= dayAgo),
      regressed: count(({ substatus }) => substatus === 'regressed'),
      escalating: count(({ substatus }) => substatus === 'escalating'),
      sinceChange: count((issue) => isNew(issue) && changedAt !== undefined && issue.firstSeen >= changedAt),
      more: candidates.length === maxIssues,
    },
  };
}

async function findNews(db: State['db'], { projects }: NowRequest, since: number): Promise<number[]> {
  if (!projects.length) return [];
  const rows = await db
    .selectFrom('issue')
    .select('id')
    .where(
      'project_id',
      'in',
      projects.map(({ id }) => id),
    )
    .where('status', '=', 'unresolved')
    .where('substatus', 'in', ['new', 'regressed', 'escalating'])
    .where('last_seen', '>=', since)
    .where((eb) => eb.or([eb('substatus', '!=', 'new'), eb('first_seen', '>=', since)]))
    .orderBy('last_seen', 'desc')
    .orderBy('id')
    .limit(maxIssues)
    .execute();
  return rows.map(({ id }) => id);
}
