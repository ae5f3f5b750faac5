/** What brought most of what was used of a quota: which project and key, and where rows say it, which release and issue. */
import type { QuotaCategory, QuotaTerm } from '../../base/quotas.ts';
import { idOfTarget, quotaTarget } from '../../base/quotas.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { type CountEstimate, estimateOfPart, eventsCount, partSpread, type PartSpread } from '../search/index.ts';
import type { Quota } from './store.ts';

/** The events store. */
export type Asked = Pick<Events, 'query'>;

export type CauseKind = 'project' | 'key' | 'release' | 'issue';

export interface Cause {
  readonly kind: CauseKind;
  readonly name: string;
  /** Items, or bytes of attachments. */
  readonly count: number;
  /** Where a storm made the count an estimate that may be off by more than 1 %. */
  readonly estimate?: CountEstimate | undefined;
  /** Of all that was used, 0 to 1. */
  readonly share: number;
}

interface Place {
  readonly quota: Quota;
  readonly term: QuotaTerm;
  readonly used: number;
  /** Of the organisation. */
  readonly projects: readonly { readonly id: number; readonly slug: string; readonly shortIdPrefix: string }[];
}

interface Stores {
  readonly state: Pick<State, 'db'>;
  /** Undefined where it cannot be asked. */
  readonly events: Asked | undefined;
}

/** Below this it is one of many. */
const leastShare = 0.2;
const hashes = 50;

/** The widest first. Those that brought a fifth at least. */
export async function causesOf({ state, events }: Stores, place: Place): Promise<Cause[]> {
  const { quota, projects } = place;
  const project = quota.projectId === null ? await topProject(state, events, place) : undefined;
  const ofProject = quota.projectId ?? (project && project.share >= leastShare ? project.id : undefined);
  const keys = quota.scope === 'key' || ofProject === undefined ? undefined : await topKey(state, place, ofProject);
  const projectIds = ofProject === undefined ? projects.map(({ id }) => id) : [ofProject];
  const rows = events && projectIds.length > 0 ? await ofRows(state, events, place, projectIds) : [];
  return [project, keys, ...rows].filter((cause) => cause !== undefined).filter(({ share }) => share >= leastShare);
}

/** Of a month as it was counted; of a minute as it was stored. */
async function topProject(
  { db }: Stores['state'],
  events: Asked | undefined,
  { quota: { category, period }, term, used, projects }: Place,
): Promise<(Cause & { readonly id: number }) | undefined> {
  if (projects.length === 0) return undefined;
  const found =
    period === 'month'
      ? await largest(
          db,
          projects.map(({ id }) => quotaTarget('project', id)),
          category,
          term,
        )
      : await mostAccepted(
          events,
          projects.map(({ id }) => id),
          category,
          term,
        );
  const project = projects.find(({ id }) => id === found?.id);
  if (!found || !project) return undefined;
  return { kind: 'project', id: project.id, name: project.slug, ...shareOf(found.count, used) };
}

async function topKey(
  { db }: Stores['state'],
  { quota: { category, period }, term, used }: Place,
  projectId: number,
): Promise<Cause | undefined> {
  if (period !== 'month') return undefined;
  const keys = await db.selectFrom('project_key').select(['id', 'label']).where('project_id', '=', projectId).execute();
  // Where there is but one, its name says nothing.
  if (keys.length < 2) return undefined;
  const targets = keys.map(({ id }) => quotaTarget('key', id));
  const found = await largest(db, targets, category, term);
  const key = keys.find(({ id }) => id === found?.id);
  return found && key && { kind: 'key', name: key.label, ...shareOf(found.count, used) };
}

async function largest(
  db: State['db'],
  targets: readonly string[],
  category: QuotaCategory,
  term: QuotaTerm,
): Promise<{ id: number; count: number } | undefined> {
  const row = await db
    .selectFrom('quota_use')
    .select(['target', 'used'])
    .where('target', 'in', targets.slice(0, 10_000))
    .where('category', '=', category)
    .where('period', '=', 'month')
    .where('term', '=', term.number)
    .orderBy('used', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { id: Number(idOfTarget(row.target)), count: row.used };
}

async function mostAccepted(
  events: Asked | undefined,
  projectIds: readonly number[],
  category: QuotaCategory,
  term: QuotaTerm,
): Promise<{ id: number; count: number } | undefined> {
  const [row] =
    (await events?.query<{ id: number; count: number }>(
      `SELECT project_id AS id, sum(quantity) AS count FROM outcomes
       WHERE project_id IN {projectIds:Array(UInt64)} AND category = {category:String} AND outcome = 'accepted'
         AND minute >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND minute < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
       GROUP BY project_id ORDER BY count DESC LIMIT 1`,
      { projectIds, category, from: term.startMs, until: term.endMs },
    )) ?? [];
  return row && { id: Number(row.id), count: Number(row.count) };
}

/** Where the rows of a category lie, and which of a table are of it. */
const rowsOf: Partial<
  Record<QuotaCategory, { readonly table: string; readonly time: string; readonly where?: string }>
> = {
  error: { table: 'errors', time: 'timestamp' },
  transaction: { table: 'spans', time: 'started_at', where: 'is_segment' },
  span: { table: 'spans', time: 'started_at' },
  log_item: { table: 'logs', time: 'timestamp' },
};

async function ofRows(
  state: Stores['state'],
  events: Asked,
  { quota: { category }, term, used, projects }: Place,
  projectIds: readonly number[],
): Promise<Cause[]> {
  const source = rowsOf[category];
  if (!source) return [];
  const { time } = source;
  const condition = `project_id IN {projectIds:Array(UInt64)}
    AND ${time} >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND ${time} < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
    ${source.where ? `AND ${source.where}` : ''}`;
  const isOfErrors = category === 'error';
  const count = isOfErrors ? eventsCount : 'count()';
  const spread = isOfErrors ? `, ${partSpread()}` : '';
  const params = { projectIds, from: term.startMs, until: term.endMs };
  const [release] = await events.query<{ release: string; n: number } & PartSpread>(
    `SELECT release, ${count} AS n${spread} FROM ${source.table} WHERE ${condition} AND release != ''
     GROUP BY release ORDER BY n DESC LIMIT 1`,
    params,
  );
  const causes: Cause[] = release
    ? [
        {
          kind: 'release',
          name: release.release,
          ...shareOf(Number(release.n), used),
          estimate: isOfErrors ? estimateOfPart(release.n, release) : undefined,
        },
      ]
    : [];
  if (!isOfErrors) return causes;
  const frequent = await events.query<FrequentHash>(
    `SELECT project_id, group_hash, ${count} AS n${spread} FROM errors WHERE ${condition}
     GROUP BY project_id, group_hash ORDER BY n DESC LIMIT ${hashes}`,
    params,
  );
  const issue = await topIssue(state, frequent);
  const prefix = projects.find(({ id }) => id === issue?.projectId)?.shortIdPrefix;
  if (issue && prefix !== undefined) {
    const name = `${prefix}-${issue.number} ${issue.title}`;
    causes.push({ kind: 'issue', name, ...shareOf(issue.n, used), estimate: estimateOfPart(issue.n, issue) });
  }
  return causes;
}

interface FrequentHash extends PartSpread {
  readonly project_id: number;
  readonly group_hash: string;
  readonly n: number;
}

interface TopIssue extends PartSpread {
  readonly projectId: number;
  readonly number: number;
  readonly title: string;
  readonly n: number;
}

async function topIssue({ db }: Stores['state'], frequent: readonly FrequentHash[]): Promise<TopIssue | undefined> {
  if (frequent.length === 0) return undefined;
  const rows = await db
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select(['issue.id', 'issue.number', 'issue.title', 'issue_hash.hash', 'issue_hash.project_id as projectId'])
    .where(
      'issue_hash.hash',
      'in',
      frequent.map(({ group_hash: hash }) => hash),
    )
    .execute();
  const sums = new Map<number, TopIssue>();
  for (const { project_id: projectId, group_hash: hash, n, spread, largest, stored } of frequent) {
    const row = rows.find((one) => one.hash === hash && one.projectId === Number(projectId));
    if (!row) continue;
    const { number, title } = row;
    const known = sums.get(row.id) ?? {
      projectId: row.projectId,
      number,
      title,
      n: 0,
      spread: 0,
      largest: 1,
      stored: 0,
    };
    sums.set(row.id, {
      ...known,
      n: known.n + Number(n),
      spread: known.spread + Number(spread),
      largest: Math.max(known.largest, Number(largest)),
      stored: known.stored + Number(stored),
    });
  }
  return [...sums.values()].toSorted((a, b) => b.n - a.n)[0];
}

/** What is stored may be more than what was counted: of what came before a minute, or was counted elsewhere. */
const shareOf = (count: number, used: number): Pick<Cause, 'count' | 'share'> => ({
  count,
  share: used > 0 ? Math.min(1, count / used) : 0,
});
