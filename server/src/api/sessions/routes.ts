/** Sessions over time by release, environment, project and status. */
import type { z } from 'zod';
import type { SearchNode } from '@culprit/search';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { bucketsOf, parseInterval } from '../../domains/explore/index.ts';
import {
  measureDurations,
  measureSessions,
  type SessionKey,
  type SessionNumbers,
} from '../../domains/sessions/index.ts';
import type { SqlPart } from '../../base/sql.ts';
import { someTerm } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { exactTimeRange } from '../../base/time-range.ts';
import { compileFilter } from '../../domains/search/index.ts';
import { sessions as texts } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { chooseProjects, readNamedSearch } from '../../domains/named-search/index.ts';
import {
  fieldValue,
  type Measured,
  nothingMeasured,
  parseSessionField,
  parseSessionMetric,
  type SessionField,
  sessionStatuses,
} from './shapes.ts';

type Query = z.output<typeof contract.listSessions.query>;
type Group = z.output<typeof contract.SessionGroup>;
type Answer = z.output<typeof contract.listSessions.response>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Values of one answer. */
const maxValues = 100_000;

const groupings = ['project', 'release', 'environment', 'session.status'] as const;

export function sessionRoutes(api: Api): void {
  const { state, events } = api.deps;

  const answered = async (membership: Membership, query: Query, names: FieldNames): Promise<Answer> => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, query.project);
    const projectIds = projects.map(({ id }) => id);
    const { fields, by, byStatus } = readQuestion(query, names);
    const range = exactTimeRange(query, nowMs) ?? { startMs: nowMs - dayMs, endMs: nowMs, open: true };
    const buckets = bucketsOf(
      range,
      parseInterval(query.interval) ?? (range.endMs - range.startMs > dayMs ? hourMs : undefined),
    );
    const untilMs = buckets.startMs + buckets.count * buckets.bucketMs;
    const text = query.query?.trim() ?? '';
    const who = { organizationId: membership.organizationId, projectIds, environments: query.environment, nowMs };
    const root = text ? await readNamedSearch({ state, events }, text, who) : undefined;
    const scope = {
      projectIds: root === false ? [] : projectIds,
      environments: query.environment,
      filter: typeof root === 'object' ? filterOf(root, projects, nowMs) : undefined,
      fromMs: buckets.startMs,
      untilMs,
      by,
    };
    const withUsers = fields.some((field) => field.kind !== 'duration' && field.unit === 'user');
    const withSeries = query.includeSeries !== '0';
    const withDurations = fields.some(({ kind }) => kind === 'duration');
    const shown = Math.min(query.per_page, Math.max(1, Math.floor(maxValues / buckets.count)));
    const ask = async (bucketMs?: number): Promise<Map<string, Measured>> => {
      const most = bucketMs === undefined ? 10_000 : maxValues;
      const [numbers, durations] = await Promise.all([
        measureSessions(events, { ...scope, withUsers, bucketMs, limit: most }),
        withDurations ? measureDurations(events, { ...scope, bucketMs }) : [],
      ]);
      const ms = new Map(durations.map((one) => [keyOf(one, by, one.bucket), one.ms]));
      return new Map(
        numbers.map((one) => {
          const key = keyOf(one, by, one.bucket);
          return [key, { sessions: one.sessions, users: one.users, durations: ms.get(key) }];
        }),
      );
    };
    const [totals, parts, groups] = await Promise.all([
      ask(),
      withSeries ? ask(buckets.bucketMs) : new Map<string, Measured>(),
      measureSessions(events, { ...scope, withUsers: false, totalsOnly: true }),
    ]);
    const rows = by.length ? groups : [noGroup];
    const answer = rows.flatMap((row) =>
      (byStatus ? sessionStatuses : [undefined]).map((status): Group => {
        const value = (field: SessionField, measured: Measured | undefined): number | null =>
          fieldValue(field, measured ?? nothingMeasured, status);
        return {
          by: { ...byOf(row, by), ...(status && { 'session.status': status }) },
          totals:
            query.includeTotals === '0'
              ? {}
              : Object.fromEntries(fields.map((field) => [field.name, value(field, totals.get(keyOf(row, by, 0)))])),
          series: withSeries
            ? Object.fromEntries(
                fields.map((field) => [
                  field.name,
                  Array.from({ length: buckets.count }, (_, bucket) => value(field, parts.get(keyOf(row, by, bucket)))),
                ]),
              )
            : {},
        };
      }),
    );
    return {
      start: isoSecond(buckets.startMs),
      end: isoSecond(untilMs),
      query: text,
      intervals: Array.from({ length: buckets.count }, (_, index) =>
        isoSecond(buckets.startMs + index * buckets.bucketMs),
      ),
      groups: ordered(answer, query.orderBy).slice(0, shown * (byStatus ? sessionStatuses.length : 1)),
    };
  };

  implement(api, contract.listSessions, async ({ caller: { membership }, query }) =>
    answered(membership, query, { usual: 'sum(session)', parse: parseSessionField }),
  );
  implement(api, contract.listSessionMetrics, async ({ caller: { membership }, query }) =>
    answered(membership, query, { usual: 'session.all', parse: parseSessionMetric }),
  );
}

/** Sentry's clients compare these as text, without a fraction. */
const isoSecond = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const noGroup: Pick<SessionNumbers, 'projectId' | 'release' | 'environment'> = {
  projectId: 0,
  release: '',
  environment: '',
};

const keyOf = (row: typeof noGroup, by: readonly SessionKey[], bucket: number): string =>
  JSON.stringify([bucket, ...by.map((key) => byOf(row, [key])[key])]);

function byOf(row: typeof noGroup, by: readonly SessionKey[]): Record<string, string | number> {
  const values = { project: row.projectId, release: row.release, environment: row.environment };
  return Object.fromEntries(by.map((key) => [key, values[key]]));
}

interface FieldNames {
  readonly usual: string;
  readonly parse: (name: string) => SessionField | undefined;
}

function readQuestion(
  query: Query,
  { usual, parse }: FieldNames,
): { fields: SessionField[]; by: SessionKey[]; byStatus: boolean } {
  const asked = query.field.length ? [...new Set(query.field)] : [usual];
  if (asked.length > 20) throw new CodedError('INPUT_INVALID', [texts.tooManyFields(20)]);
  const by = new Set<(typeof groupings)[number]>();
  for (const name of query.groupBy) {
    const known = groupings.find((one) => one === name);
    if (!known) throw new CodedError('INPUT_INVALID', [texts.groupBy(name, groupings)]);
    by.add(known);
  }
  const byStatus = by.delete('session.status');
  const fields = asked.map((name) => {
    const field = parse(name);
    if (!field) throw new CodedError('INPUT_INVALID', [texts.field(name, usual)]);
    if (byStatus && field.kind === 'rate') {
      throw new CodedError('INPUT_INVALID', [texts.rate(name)]);
    }
    return field;
  });
  return { fields, by: [...by] as SessionKey[], byStatus };
}

/** Sessions know their release, environment and project alone. */
function filterOf(root: SearchNode, projects: readonly Project[], nowMs: number): SqlPart {
  const allowed = new Set(['release', 'environment', 'project']);
  if (someTerm(root, (term) => term.kind === 'text' || !('key' in term) || !allowed.has(placeOf(term.key)))) {
    throw new CodedError('INPUT_INVALID', [texts.query]);
  }
  return compileFilter(root, 'events', { nowMs, projects });
}

function placeOf(key: object): string {
  if (!('place' in key) || typeof key.place !== 'object' || key.place === null || !('kind' in key.place)) return '';
  const { place } = key;
  if (place.kind === 'column' && 'column' in place) return String(place.column);
  return String(place.kind);
}

function ordered(groups: readonly Group[], orderBy: string | undefined): readonly Group[] {
  if (!orderBy) return groups;
  const name = orderBy.replace(/^-/, '');
  const sign = orderBy.startsWith('-') ? -1 : 1;
  const value = ({ by, totals }: Group): string | number => totals[name] ?? by[name] ?? -Infinity;
  return groups.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    return sign * (one < other ? -1 : one > other ? 1 : 0);
  });
}
