/** What a project takes of the disk, as it was measured last. */
import { eachClass, type RetentionClass } from '../../base/retention.ts';
import type { State } from '../../ports/state/state.ts';
import type { Cost, Growth } from './estimate.ts';
import type { SampledTable } from './sample.ts';

/** What attributes take. */
export interface TableCost {
  readonly table: SampledTable;
  readonly rows: number;
  /** Of how many the sizes are estimated. */
  readonly sampled: number;
  /** Of errors: of their tags, contexts and extra. */
  readonly attributes: readonly Cost[];
}

export interface GrowthOf extends Growth {
  readonly table: SampledTable;
}

export interface CostReport {
  /** ms since the epoch. */
  readonly at: number;
  /** Bytes on disk: its share of each class by rows, of errors, spans and logs by their sampled size. */
  readonly classes: Readonly<Record<RetentionClass, number>>;
  readonly rows: Readonly<Record<RetentionClass, number>>;
  /** Errors. */
  readonly events: number;
  /** Of how many the sizes below are estimated. */
  readonly sampled: number;
  /** By group hash; whose issue it is, the state store knows. */
  readonly groups: readonly Cost[];
  readonly releases: readonly Cost[];
  readonly sdks: readonly Cost[];
  readonly parts: readonly Cost[];
  readonly tables: readonly TableCost[];
  readonly growth: readonly GrowthOf[];
}

type Within = Pick<State, 'db'>;

export async function noteCost({ db }: Within, projectId: number, report: CostReport): Promise<void> {
  const row = { at: report.at, report: JSON.stringify(report) };
  await db
    .insertInto('project_cost')
    .values({ project_id: projectId, ...row })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute();
}

/** Those that were measured, the largest first. */
export async function readCosts(
  { db }: Within,
  projectIds: readonly number[],
): Promise<{ readonly projectId: number; readonly report: CostReport }[]> {
  if (projectIds.length === 0) return [];
  const rows = await db
    .selectFrom('project_cost')
    .select(['project_id', 'report'])
    .where('project_id', 'in', projectIds)
    .execute();
  return rows
    .map((row) => ({ projectId: Number(row.project_id), report: reportIn(row.report) }))
    .sort((a, b) => bytesOfClasses(b.report) - bytesOfClasses(a.report));
}

/** Of an earlier version they know nothing of attributes. */
function reportIn(text: string): CostReport {
  const report = JSON.parse(text) as CostReport & Partial<Pick<CostReport, 'rows' | 'tables'>>;
  return {
    ...report,
    rows: report.rows ?? eachClass(() => 0),
    tables: report.tables ?? [],
    growth: report.growth.map((one: Growth & Partial<GrowthOf>) => ({ ...one, table: one.table ?? 'errors' })),
  };
}

export const bytesOfClasses = ({ classes }: Pick<CostReport, 'classes'>): number =>
  Object.values(classes).reduce((sum, bytes) => sum + bytes, 0);

/** Issues of group hashes, and what they cost together. */
export async function issuesOf(
  { db }: Within,
  projectId: number,
  groups: readonly Cost[],
): Promise<(Cost & { readonly issueId: number; readonly shortId: string; readonly title: string })[]> {
  if (groups.length === 0) return [];
  const rows = await db
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue_hash.hash', 'issue.id', 'issue.number', 'issue.title', 'project.short_id_prefix as prefix'])
    .where('issue_hash.project_id', '=', projectId)
    .where(
      'issue_hash.hash',
      'in',
      groups.map(({ name }) => name),
    )
    .execute();
  const issues = new Map(rows.map((row) => [row.hash, row]));
  const known = groups.flatMap((cost) => {
    const issue = issues.get(cost.name);
    return issue ? [{ cost, issue }] : [];
  });
  return [...Map.groupBy(known, ({ issue }) => issue.id).values()]
    .flatMap((own) => {
      const [first] = own;
      if (!first) return [];
      const sum = (of: (cost: Cost) => number): number => own.reduce((all, { cost }) => all + of(cost), 0);
      const { id, number, title, prefix } = first.issue;
      return [
        {
          name: String(id),
          issueId: id,
          shortId: `${prefix}-${number}`,
          title,
          events: sum(({ events }) => events),
          bytes: sum(({ bytes }) => bytes),
          low: sum(({ low }) => low),
          high: sum(({ high }) => high),
        },
      ];
    })
    .sort((a, b) => b.bytes - a.bytes);
}
