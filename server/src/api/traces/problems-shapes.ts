/** Where in a waterfall the performance problems of its trace are. */
import type { z } from 'zod';
import { hashKey } from '../../domains/issues/index.ts';
import type { TraceSpan, TreeRow } from '../../domains/traces/index.ts';
import type { getWaterfall } from './contract.ts';
import { shortIdOf } from '../issues/shapes.ts';
import type { TracePlace } from './shapes.ts';

type Shown = z.output<typeof getWaterfall.response>['problems'][number];

export interface PlacedProblems {
  readonly shown: Shown[];
  /** By the index of a row, indexes into `shown`. */
  readonly byRow: ReadonlyMap<number, number[]>;
}

/** Spans that are not there are left out: a problem of which none is shown has no row. */
export function placeProblems(
  rows: readonly TreeRow<TraceSpan>[],
  { problems, projects, issues }: Pick<TracePlace, 'problems' | 'projects' | 'issues'>,
): PlacedProblems {
  if (problems.length === 0) return { shown: [], byRow: new Map() };
  const rowOf = new Map(rows.map(({ span }, index) => [`${span.projectId}:${span.spanId}`, index]));
  const byRow = new Map<number, number[]>();
  const shown = problems.map((problem, number): Shown => {
    const { projectId, eventId, type, title, hash } = problem;
    const find = (ids: readonly string[]): number[] => ids.flatMap((id) => rowOf.get(`${projectId}:${id}`) ?? []);
    const offenders = find(problem.offenderSpanIds);
    const causes = find(problem.causeSpanIds);
    for (const row of new Set([...offenders, ...causes])) {
      const there = byRow.get(row);
      if (there) there.push(number);
      else byRow.set(row, [number]);
    }
    const issue = issues.get(hashKey(projectId, hash));
    const project = projects.get(projectId);
    return {
      eventId,
      issueId: issue ? String(issue.id) : null,
      shortId: issue && project ? shortIdOf(issue, project) : null,
      projectId: String(projectId),
      type,
      title,
      offenders,
      causes,
    };
  });
  return { shown, byRow };
}
