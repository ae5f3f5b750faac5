/**
 * Terms about issues. Each is decided twice, and alike: as a condition of the state store, for choosing among all
 * issues, and over an issue in memory, for what is left of a tree once it is known which issue it is asked of.
 */
import { dateSpan, type SearchTerm, type SearchValue } from '@culprit/search';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { performanceIssueTypes } from '../../../base/problems/types.ts';
import type { IssueStatus, StateSchema } from '../../../ports/state/schema.ts';
import { levelsOf, priorities } from '../priority.ts';
import type { IssueRow, LifeCounts, VisibleProject } from '../types.ts';
import { comparesWith, literalParts, matchesText, unescaped } from './values.ts';

export type Builder = ExpressionBuilder<StateSchema, 'issue'>;
export type Condition = (builder: Builder) => Expression<SqlBool>;

export interface TermContext {
  readonly projects: readonly VisibleProject[];
  /** What relative times count from. */
  readonly nowMs: number;
}

export interface IssueTest {
  /** Undefined where only the counts of the issue's life decide, which the state store does not know. */
  readonly condition: Condition | undefined;
  /** `life` is needed where there is no condition. */
  passes(issue: IssueRow, life: LifeCounts | undefined): boolean;
}

type Filter = Extract<SearchTerm, { kind: 'filter' }>;

interface IsValue {
  readonly status: IssueStatus;
  /** Null for none; undefined for any. */
  readonly substatuses?: readonly (string | null)[];
}

/** What each value of `is:` asks of an issue; true and false where nothing can be otherwise. */
const isValues: ReadonlyMap<string, IsValue | boolean> = new Map<string, IsValue | boolean>([
  ['unresolved', { status: 'unresolved' }],
  ['resolved', { status: 'resolved' }],
  ['archived', { status: 'archived' }],
  ['ignored', { status: 'archived' }],
  ['muted', { status: 'archived' }],
  ['new', { status: 'unresolved', substatuses: ['new'] }],
  ['ongoing', { status: 'unresolved', substatuses: ['ongoing'] }],
  ['escalating', { status: 'unresolved', substatuses: ['escalating'] }],
  ['regressed', { status: 'unresolved', substatuses: ['regressed'] }],
  // What nobody has looked at since it began, came back or grew.
  ['for_review', { status: 'unresolved', substatuses: ['new', 'regressed', 'escalating'] }],
  ['archived_until_escalating', { status: 'archived', substatuses: ['archived_until_escalating'] }],
  ['archived_until_condition_met', { status: 'archived', substatuses: ['archived_until_condition_met'] }],
  ['archived_forever', { status: 'archived', substatuses: [null, 'archived_forever'] }],
  ['unlinked', true],
  ['linked', false],
]);

/** The statuses that an issue may have for a value of `is:`; undefined where it says nothing of them. */
export function statusOfIs(text: string): IssueStatus | undefined {
  const asked = isValues.get(text);
  return typeof asked === 'object' && !asked.substatuses ? asked.status : undefined;
}

const always = (value: boolean): IssueTest => ({
  condition: () => sql<SqlBool>`${sql.lit(value ? 1 : 0)} = 1`,
  passes: () => value,
});

const negate = ({ condition, passes }: IssueTest): IssueTest => ({
  condition: condition && ((eb) => eb.not(condition(eb))),
  passes: (issue, life) => !passes(issue, life),
});

/** Of terms that `isIssueTerm` tells. */
export function issueTest(term: SearchTerm, context: TermContext): IssueTest {
  if (term.kind === 'text') throw new TypeError('words are not about issues');
  const test = term.kind === 'has' ? hasTest(term) : filterTest(term, context);
  return term.negated ? negate(test) : test;
}

const placeOf = (term: Exclude<SearchTerm, { kind: 'text' }>) => ('place' in term.key ? term.key.place : undefined);

function hasTest(term: Extract<SearchTerm, { kind: 'has' }>): IssueTest {
  const place = placeOf(term);
  if (place?.kind !== 'issue') return always(true);
  switch (place.field) {
    case 'first_release':
      return { condition: (eb) => eb('first_release', 'is not', null), passes: (issue) => issue.firstRelease !== null };
    case 'assigned':
    case 'assigned_or_suggested':
      return assigned;
    default:
      return always(true);
  }
}

function filterTest(term: Filter, context: TermContext): IssueTest {
  const { value } = term;
  const place = placeOf(term);
  if (place?.kind === 'project') return inProject(value, place.by, context.projects);
  if (place?.kind !== 'issue') throw new TypeError(`${term.name} is not about issues`);
  switch (place.field) {
    case 'is':
      return isTest(value);
    case 'assigned':
    case 'assigned_or_suggested':
      return assignedTo(value);
    case 'bookmarks':
    case 'subscribed':
      // Whose they are is looked up before; nobody has marked anything otherwise.
      return always(false);
    case 'first_seen':
    case 'last_seen':
      return dated(place.field, value, context.nowMs);
    case 'id':
      return numbered(value);
    case 'first_release':
    case 'type':
      return texted(place.field, value);
    case 'category':
      return byType(value, (type) => (performanceIssueTypes.has(type) ? 'performance' : 'error'));
    case 'priority':
      return priority(value);
    case 'short_id':
      return shortIds(value, context.projects);
    case 'times_seen':
      return { condition: undefined, passes: (_issue, life) => comparesWith(value, life?.count ?? 0) };
    case 'user_count':
      return { condition: undefined, passes: (_issue, life) => comparesWith(value, life?.userCount ?? 0) };
  }
}

function isTest(value: SearchValue): IssueTest {
  if (value.type === 'text' && value.text === 'assigned') return assigned;
  if (value.type === 'text' && value.text === 'unassigned') return unassigned;
  const asked = value.type === 'text' ? isValues.get(value.text) : undefined;
  if (asked === undefined || typeof asked === 'boolean') return always(asked ?? false);
  const { status, substatuses } = asked;
  return {
    condition: (eb) =>
      eb.and([
        eb('status', '=', status),
        ...(substatuses
          ? [
              eb.or(
                substatuses.map((one) =>
                  one === null ? eb('substatus', 'is', null) : eb(sql`coalesce(substatus, '')`, '=', one),
                ),
              ),
            ]
          : []),
      ]),
    passes: (issue) => issue.status === status && (!substatuses || substatuses.includes(issue.substatus)),
  };
}

/** The projects that a term about them leaves. */
export const projectsOf = (
  value: SearchValue,
  by: 'name' | 'id',
  projects: readonly VisibleProject[],
): readonly VisibleProject[] =>
  projects.filter((project) =>
    by === 'id'
      ? comparesWith(value, project.id) || matchesText(value, String(project.id))
      : matchesText(value, project.slug) || matchesText(value, String(project.id)),
  );

function inProject(value: SearchValue, by: 'name' | 'id', projects: readonly VisibleProject[]): IssueTest {
  const ids = projectsOf(value, by, projects).map((project) => project.id);
  return {
    condition: (eb) => (ids.length ? eb('project_id', 'in', ids) : sql<SqlBool>`0 = 1`),
    passes: (issue) => ids.includes(issue.projectId),
  };
}

function dated(column: 'first_seen' | 'last_seen', value: SearchValue, nowMs: number): IssueTest {
  if (value.type !== 'date' && value.type !== 'age') throw new TypeError(`${column} needs a time`);
  const { fromMs, untilMs } = dateSpan(value, nowMs);
  return {
    condition: (eb) =>
      eb.and([
        ...(Number.isFinite(fromMs) ? [eb(column, '>=', fromMs)] : []),
        ...(Number.isFinite(untilMs) ? [eb(column, '<', untilMs)] : []),
      ]),
    passes: (issue) => {
      const at = column === 'first_seen' ? issue.firstSeen : issue.lastSeen;
      return at >= fromMs && at < untilMs;
    },
  };
}

/** What a database takes for an id; of others there are no issues. */
const largestId = 2_147_483_647;
const toId = (number: number): number => Math.max(-largestId, Math.min(number, largestId));
const isId = (number: number): boolean => Number.isInteger(number) && Math.abs(number) <= largestId;

function numbered(value: SearchValue): IssueTest {
  return {
    condition: (eb) => {
      const among = (numbers: readonly number[]): Expression<SqlBool> => {
        const ids = numbers.filter(isId);
        return ids.length ? eb('id', 'in', ids) : eb.or([]);
      };
      if (value.type === 'numbers') return among(value.values);
      if (value.type !== 'number') throw new TypeError('an issue id is a number');
      const { comparison, number } = value;
      if (comparison === '=') return among([number]);
      const whole = comparison === '>' || comparison === '<=' ? Math.floor(number) : Math.ceil(number);
      return eb('id', comparison, toId(whole));
    },
    passes: (issue) => comparesWith(value, issue.id),
  };
}

/** A LIKE pattern with `\` as escape. */
const likePattern = (text: string): string =>
  text.replaceAll(/\\\*|\*+|[%_\\]/g, (part) => (part === '\\*' ? '*' : part.startsWith('*') ? '%' : `\\${part}`));

function texted(column: 'first_release' | 'type', value: SearchValue): IssueTest {
  // An absent value counts as the empty text, so that a negated term finds it.
  const text = sql<string>`coalesce(${sql.ref(column)}, '')`;
  return {
    condition: (eb) => {
      if (value.type === 'list') return eb(text, 'in', [...value.values]);
      if (value.type !== 'text') throw new TypeError(`${column} needs a text`);
      if (!value.wildcard) return eb(text, '=', unescaped(value.text));
      if (/^\*+$/.test(value.text)) return eb(text, '!=', '');
      return eb.and([
        sql<SqlBool>`${text} like ${likePattern(value.text)} escape '\\'`,
        // SQLite's LIKE takes upper for lower case; replacing does not.
        ...literalParts(value.text).map((part) => sql<SqlBool>`replace(${text}, ${part}, '') <> ${text}`),
      ]);
    },
    passes: (issue) => matchesText(value, (column === 'type' ? issue.type : issue.firstRelease) ?? ''),
  };
}

/** By what a name is made of the type: all the types that there may be are known. */
function byType(value: SearchValue, nameOf: (type: string) => string): IssueTest {
  const wanted = [...performanceIssueTypes].filter((type) => matchesText(value, nameOf(type)));
  const others = matchesText(value, nameOf('error'));
  const performance = [...performanceIssueTypes];
  return {
    condition: (eb) =>
      eb.or([
        ...(wanted.length ? [eb('type', 'in', wanted)] : []),
        ...(others ? [eb('type', 'not in', performance)] : []),
      ]),
    passes: (issue) => matchesText(value, nameOf(issue.type)),
  };
}

function priority(value: SearchValue): IssueTest {
  const wanted = priorities.filter((name) => matchesText(value, name));
  const levels = wanted.flatMap((name) => levelsOf[name]);
  return {
    condition: (eb) =>
      wanted.length
        ? eb.or([
            eb.and([eb('priority', 'is not', null), eb('priority', 'in', wanted)]),
            eb.and([eb('priority', 'is', null), eb('level', 'in', levels)]),
          ])
        : sql<SqlBool>`0 = 1`,
    passes: (issue) => wanted.includes(issue.priority),
  };
}

const assigned: IssueTest = {
  // From the indexes of those that somebody has: looking at each issue in turn, where few are, reads them all.
  condition: (eb) =>
    eb(
      'issue.id',
      'in',
      eb
        .selectFrom('issue as assigned')
        .select('assigned.id')
        .where('assigned.assignee_user_id', 'is not', null)
        .unionAll(
          eb.selectFrom('issue as assigned').select('assigned.id').where('assigned.assignee_team_id', 'is not', null),
        ),
    ),
  passes: (issue) => issue.assigneeUserId !== null || issue.assigneeTeamId !== null,
};

/** Most are, so that a page of them is found soon. */
const unassigned: IssueTest = {
  condition: (eb) => eb.and([eb('assignee_user_id', 'is', null), eb('assignee_team_id', 'is', null)]),
  passes: (issue) => issue.assigneeUserId === null && issue.assigneeTeamId === null,
};

/** Names have become `user:ID` and `team:ID` before. */
function assignedTo(value: SearchValue): IssueTest {
  const named = value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];
  const after = (prefix: string): string[] =>
    named.flatMap((one) => (one.startsWith(prefix) ? [one.slice(prefix.length)] : []));
  const users = after('user:');
  const teams = after('team:').map(Number).filter(isId);
  const nobody = named.includes('none');
  return {
    condition: (eb) =>
      eb.or([
        // Nothing is neither in a list nor not: said first, so that a negated term finds it.
        ...(users.length
          ? [eb.and([eb('assignee_user_id', 'is not', null), eb('assignee_user_id', 'in', users)])]
          : []),
        ...(teams.length
          ? [eb.and([eb('assignee_team_id', 'is not', null), eb('assignee_team_id', 'in', teams)])]
          : []),
        ...(nobody ? [eb.and([eb('assignee_user_id', 'is', null), eb('assignee_team_id', 'is', null)])] : []),
      ]),
    passes: ({ assigneeUserId, assigneeTeamId }) =>
      (assigneeUserId !== null && users.includes(assigneeUserId)) ||
      (assigneeTeamId !== null && teams.includes(assigneeTeamId)) ||
      (nobody && assigneeUserId === null && assigneeTeamId === null),
  };
}

function shortIds(value: SearchValue, projects: readonly VisibleProject[]): IssueTest {
  const texts = value.type === 'list' ? value.values : value.type === 'text' ? [value.text] : [];
  const wanted = texts.flatMap((text) => parseShortId(text, projects));
  return {
    condition: (eb) =>
      eb.or(
        wanted.map(({ projectId, number }) => eb.and([eb('project_id', '=', projectId), eb('number', '=', number)])),
      ),
    passes: (issue) => wanted.some(({ projectId, number }) => issue.projectId === projectId && issue.number === number),
  };
}

/** `WEB-12` as the projects and number that it may mean; prefixes are unique in an organisation only. */
export function parseShortId(
  text: string,
  projects: readonly VisibleProject[],
): { projectId: number; number: number }[] {
  const [, prefix, digits] = /^(.+)-(\d{1,9})$/.exec(text) ?? [];
  if (!prefix) return [];
  return projects
    .filter((project) => project.shortIdPrefix.toUpperCase() === prefix.toUpperCase())
    .map((project) => ({ projectId: project.id, number: Number(digits) }));
}
