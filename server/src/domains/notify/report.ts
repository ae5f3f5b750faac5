/** The week in a mail: on Mondays at nine where somebody is, if anything happened. */
import {
  type CountEstimate,
  estimateOfPart,
  eventsCount,
  eventsCountIf,
  partSpread,
  type PartSpread,
  sampledSpread,
  usersCount,
} from '../search/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { sightIn } from '../accounts/index.ts';
import { sessionCounts } from '../sessions/index.ts';
import { listProjects, ofPeople, type Project } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { enqueue } from './enqueue.ts';
import { readSettings } from './settings.ts';
import type { Notification, NotificationLine } from './types.ts';
import { number, percentage } from '../../base/texts/intl.ts';
import { momentOf, wallTime } from '../../base/wall-time.ts';
import * as texts from '../../base/texts/notifications.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Monday at nine. */
const hour = 9;
/** One that could not be made by then is not made: by Tuesday it is old. */
const lateMs = dayMs;
const shownIssues = 5;

export interface Week {
  /** Its Monday, `2026-11-16`: part of the key, so that one is sent. */
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The week that is to be reported at that moment; undefined when it is not Monday morning. */
export function weekDue(timeZone: string, nowMs: number): Week | undefined {
  const wall = wallTime(nowMs, timeZone);
  const today = Math.floor(wall / dayMs) * dayMs;
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs;
  const due = monday + hour * hourMs;
  if (wall < due || wall >= due + lateMs) return undefined;
  const untilMs = momentOf(monday, timeZone);
  return {
    name: new Date(monday - 7 * dayMs).toISOString().slice(0, 10),
    fromMs: momentOf(monday - 7 * dayMs, timeZone),
    untilMs,
  };
}

export interface WeekNumbers {
  readonly events: number;
  readonly eventsBefore: number;
  readonly newIssues: readonly NotificationLine[];
  readonly newCount: number;
  readonly regressions: readonly NotificationLine[];
  readonly regressionCount: number;
  readonly top: readonly NotificationLine[];
  /** Sessions without a crash, 0 to 1; null where none were reported. */
  readonly crashFree: number | null;
}

/** Undefined when nothing happened. Pure. */
export function reportOf(
  numbers: WeekNumbers,
  {
    organization,
    week,
    consoleUrl,
  }: { readonly organization: string; readonly week: Week; readonly consoleUrl: string },
): Notification | undefined {
  const { events, eventsBefore, newCount, regressionCount, crashFree } = numbers;
  if (events === 0 && newCount === 0 && regressionCount === 0) return undefined;
  const change = eventsBefore > 0 ? texts.report.change((events - eventsBefore) / eventsBefore) : '';
  const sections = [
    { heading: texts.report.frequent, lines: numbers.top },
    { heading: counted(texts.report.newIssues, newCount), lines: numbers.newIssues },
    { heading: counted(texts.report.regressed, regressionCount), lines: numbers.regressions },
  ].filter(({ lines }) => lines.length > 0);
  return {
    kind: 'report',
    severity: 'info',
    title: texts.report.title(organization, week.name),
    text: '',
    url: `${consoleUrl}/issues?range=7d`,
    fields: [
      { name: texts.report.errors, value: `${number(events)}${change}` },
      { name: texts.report.newIssues, value: number(newCount) },
      { name: texts.report.regressions, value: number(regressionCount) },
      ...(crashFree === null ? [] : [{ name: texts.report.crashFree, value: percentage(crashFree, 2) }]),
    ],
    sections,
    groupKey: 'report',
  };
}

const counted = (heading: string, count: number): string =>
  count > shownIssues ? texts.report.partOf(heading, shownIssues, count) : heading;

interface Stores {
  readonly state: State;
  readonly events: Events;
}

interface Reader {
  readonly userId: string;
  readonly organizationId: string;
  readonly organization: string;
  readonly settings: string | null;
}

/** Looks whose Monday it is and enqueues what is to be reported, once each. Cheap when it is nobody's. */
export async function enqueueReports(
  stores: Stores,
  { consoleUrl, nowMs }: { consoleUrl: string; nowMs: number },
): Promise<void> {
  const { state } = stores;
  const readers = await readersOf(state);
  const made = new Map<string, Promise<Notification | undefined>>();
  const projectsOf = createProjectsOf(state);
  for (const { userId, organizationId, organization, settings: text } of readers) {
    const settings = readSettings(text);
    const week = settings.report ? weekDue(settings.timeZone, nowMs) : undefined;
    if (!week) continue;
    const key = `report:${week.name}:${userId}`;
    const known = await state.db
      .selectFrom('delivery')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('key', '=', key)
      .executeTakeFirst();
    if (known) continue;
    const projects = await projectsOf(organizationId, userId);
    // The same for all of a zone who see the same.
    const place = `${organizationId} ${week.fromMs} ${projects.map(({ id }) => id).join()}`;
    let making = made.get(place);
    if (!making) {
      making = measure(stores, projects, week, consoleUrl).then((numbers) =>
        reportOf(numbers, { organization, week, consoleUrl }),
      );
      made.set(place, making);
    }
    const notification = await making;
    if (!notification) continue;
    await state.transaction((trx) => enqueue(trx, { key, organizationId, to: { userId }, notification }));
  }
}

const readersOf = (state: State): Promise<Reader[]> =>
  state.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .leftJoin('notification_setting', (join) =>
      join
        .onRef('notification_setting.user_id', '=', 'member.userId')
        .onRef('notification_setting.organization_id', '=', 'member.organizationId'),
    )
    .select([
      'member.userId as userId',
      'member.organizationId as organizationId',
      'organization.name as organization',
      'notification_setting.settings as settings',
    ])
    .execute();

/** Those that somebody sees; what an organisation has is read once. */
function createProjectsOf(state: State): (organizationId: string, userId: string) => Promise<Project[]> {
  const read = async (organizationId: string): Promise<(userId: string) => Project[]> => {
    // What the installation reports about itself is for its owner to look at, not for everybody's Monday.
    const projects = ofPeople(await listProjects(state, organizationId));
    const sees = await sightIn(state.db, [organizationId]);
    return (userId) => projects.filter(({ id }) => sees(organizationId, userId, id));
  };
  const known = new Map<string, ReturnType<typeof read>>();
  return async (organizationId, userId) => {
    const reading = known.get(organizationId) ?? read(organizationId);
    known.set(organizationId, reading);
    return (await reading)(userId);
  };
}

async function measure(
  { state, events }: Stores,
  projects: readonly Project[],
  { fromMs, untilMs }: Week,
  consoleUrl: string,
): Promise<WeekNumbers> {
  const projectIds = projects.map(({ id }) => id);
  if (projectIds.length === 0) {
    return {
      events: 0,
      eventsBefore: 0,
      newIssues: [],
      newCount: 0,
      regressions: [],
      regressionCount: 0,
      top: [],
      crashFree: null,
    };
  }
  const lengthMs = untilMs - fromMs;
  const params = { projectIds, before: (fromMs - lengthMs) / 1000, from: fromMs / 1000, until: untilMs / 1000 };
  const [counts] = await events.query<{ now: number; before: number }>(
    `SELECT ${eventsCountIf('timestamp >= toDateTime64({from:Float64}, 3)')} AS now,
       ${eventsCountIf('timestamp < toDateTime64({from:Float64}, 3)')} AS before
     FROM errors WHERE project_id IN {projectIds:Array(UInt32)}
       AND timestamp >= toDateTime64({before:Float64}, 3) AND timestamp < toDateTime64({until:Float64}, 3)`,
    params,
  );
  // Of whole projects counts are right, after a storm as well; of an issue they may be estimates.
  const wasSampled = projects.some(({ sampledUntil }) => (sampledUntil ?? -1) >= fromMs);
  const frequent = await events.query<FrequentHash>(
    `SELECT project_id, group_hash, ${eventsCount} AS n, ${usersCount()} AS users${wasSampled ? `, ${partSpread()}` : ''}
     FROM errors WHERE project_id IN {projectIds:Array(UInt32)}
       AND timestamp >= toDateTime64({from:Float64}, 3) AND timestamp < toDateTime64({until:Float64}, 3)
     GROUP BY project_id, group_hash ORDER BY n DESC LIMIT 50`,
    params,
  );
  const spreads = wasSampled
    ? await events.query<{ project_id: number; spread: number }>(
        `SELECT project_id, ${sampledSpread()} AS spread FROM errors
         WHERE project_id IN {projectIds:Array(UInt32)}
           AND timestamp >= toDateTime64({from:Float64}, 3) AND timestamp < toDateTime64({until:Float64}, 3)
         GROUP BY project_id`,
        params,
      )
    : [];
  const names = new Map(projects.map((project) => [project.id, project]));
  const lineOf = (row: Named, text: string): NotificationLine => {
    const shortId = `${names.get(row.project_id)?.shortIdPrefix ?? ''}-${row.number}`;
    return { title: `${shortId} ${row.title}`, url: `${consoleUrl}/issues/${shortId}`, text };
  };
  const fresh = await newIssues(state, projectIds, fromMs, untilMs);
  const back = await regressions(state, projectIds, fromMs, untilMs);
  const sessions = await sessionCounts(events, { projectIds, fromMs, untilMs });
  return {
    events: Number(counts?.now ?? 0),
    eventsBefore: Number(counts?.before ?? 0),
    newCount: fresh.count,
    newIssues: fresh.rows.map((row) => lineOf(row, row.culprit)),
    regressionCount: back.count,
    regressions: back.rows.map((row) => lineOf(row, row.culprit)),
    top: (await topIssues(state, frequent, new Map(spreads.map((row) => [row.project_id, Number(row.spread)])))).map(
      ({ n, users, estimate, ...row }) => lineOf(row, texts.report.frequency(n, estimate, users)),
    ),
    crashFree: sessions.sessions > 0 ? 1 - sessions.crashed / sessions.sessions : null,
  };
}

interface Named {
  readonly project_id: Project['id'];
  readonly number: number;
  readonly title: string;
  readonly culprit: string;
}

const columns = ['issue.project_id', 'issue.number', 'issue.title', 'issue.culprit'] as const;

async function newIssues(
  state: State,
  projectIds: readonly number[],
  fromMs: number,
  untilMs: number,
): Promise<{ count: number; rows: Named[] }> {
  const found = state.db
    .selectFrom('issue')
    .where('project_id', 'in', projectIds)
    .where('merged_into', 'is', null)
    .where('first_seen', '>=', fromMs)
    .where('first_seen', '<', untilMs);
  const { count } = await found.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const rows = await found.select(columns).orderBy('first_seen', 'desc').limit(shownIssues).execute();
  return { count: Number(count), rows };
}

async function regressions(
  state: State,
  projectIds: readonly number[],
  fromMs: number,
  untilMs: number,
): Promise<{ count: number; rows: Named[] }> {
  const rows = await state.db
    .selectFrom('issue')
    .select(columns)
    .where('project_id', 'in', projectIds)
    .where('merged_into', 'is', null)
    .where('id', 'in', (query) =>
      query
        .selectFrom('issue_activity')
        .select('issue_id')
        .where('type', '=', 'set_regression')
        .where('created_at', '>=', fromMs)
        .where('created_at', '<', untilMs),
    )
    .orderBy('last_seen', 'desc')
    .limit(1_000)
    .execute();
  return { count: rows.length, rows: rows.slice(0, shownIssues) };
}

interface FrequentHash extends Partial<PartSpread> {
  readonly project_id: number;
  readonly group_hash: string;
  readonly n: number;
  readonly users: number;
}

interface Frequent extends Named {
  readonly n: number;
  readonly users: number;
  /** Undefined where `n` is right to 1 %. */
  readonly estimate: CountEstimate | undefined;
}

/** `spreads`: by project, the sum of w (w - 1) over all its sampled errors of the week. */
async function topIssues(
  state: State,
  frequent: readonly FrequentHash[],
  spreads: ReadonlyMap<number, number>,
): Promise<Frequent[]> {
  if (frequent.length === 0) return [];
  const rows = await state.db
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select([...columns, 'issue.id', 'issue_hash.hash', 'issue_hash.project_id as of'])
    .where(
      'issue_hash.hash',
      'in',
      frequent.map((row) => row.group_hash),
    )
    .execute();
  const issues = new Map<number, { named: Named; hashes: FrequentHash[] }>();
  for (const hash of frequent) {
    const row = rows.find((one) => one.hash === hash.group_hash && one.of === hash.project_id);
    if (!row) continue;
    const { id, hash: _, of: __, ...named } = row;
    const known = issues.get(id);
    if (known) known.hashes.push(hash);
    else issues.set(id, { named, hashes: [hash] });
  }
  return [...issues.values()]
    .map(({ named, hashes }): Frequent => {
      const sum = (of: (hash: FrequentHash) => number): number =>
        hashes.reduce((all, hash) => all + Number(of(hash)), 0);
      const n = sum((hash) => hash.n);
      const part = {
        spread: sum(({ spread = 0 }) => spread),
        largest: Math.max(...hashes.map(({ largest = 1 }) => Number(largest))),
        stored: sum(({ stored = 0 }) => stored),
      };
      return {
        ...named,
        n,
        // Users of several hashes may be the same ones; the larger number is true of one of them.
        users: Math.max(...hashes.map(({ users }) => Number(users))),
        estimate: estimateOfPart(n, part, (spreads.get(named.project_id) ?? part.spread) - part.spread),
      };
    })
    .sort((a, b) => b.n - a.n)
    .slice(0, shownIssues);
}
