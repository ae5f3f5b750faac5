/** Logs and tables of them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import {
  amongTraces,
  compileLogFilter,
  findLog,
  listLogs,
  type LogLine,
  type LogOrder,
} from '../../domains/logs/index.ts';
import { seenProjects, type Project } from '../../domains/projects/index.ts';
import { parseTimeRange, type RangeRequest } from '../../base/time-range.ts';
import { things } from '../../base/texts/things.ts';
import { logs as texts } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, parseCursor } from '../shared/pagination.ts';
import { chooseProjects, reachableProjects, readSearch } from '../../domains/named-search/index.ts';
import { type LogTable, toLog, toLogDetails, toLogTable } from './shapes.ts';

interface Asked extends RangeRequest {
  readonly query: string;
  readonly project: readonly string[];
  readonly environment: readonly string[];
  readonly order: LogOrder;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly traceIds?: readonly string[];
}

const traceColumns = [
  'id',
  'sentry.item_id',
  'project.id',
  'trace',
  'severity_number',
  'severity',
  'timestamp',
  'tags[sentry.timestamp_precise,number]',
  'message',
];

/** Rows deeper in a list are to be found by a narrower range. */
const maxOffset = 100_000;

/** A page of logs, with its links set. */
const pagesOf =
  ({ deps: { state, events, getUrl } }: Api) =>
  async (
    membership: Membership,
    asked: Asked,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ rows: LogLine[]; projects: ReadonlyMap<number, Project> }> => {
    const { part, projects: named, unknown } = compileLogFilter(readSearch(asked.query));
    if (unknown.length) throw new CodedError('INPUT_INVALID', [texts.unknownKeys(unknown)]);
    const chosen = asked.traceIds
      ? await reachableProjects(state, membership, asked.project)
      : await chooseProjects(state, membership, asked.project, asked.query);
    const projects = named
      ? chosen.filter(({ id, slug }) => named.includes(slug) || named.includes(String(id)))
      : chosen;
    const nowMs = Date.now();
    const cursor = parseCursor(asked.cursor);
    const offset = Math.min(cursor?.offset ?? 0, maxOffset);
    const untilMs = cursor?.value || latest(nowMs);
    const scope = {
      projectIds: projects.map(({ id }) => id),
      environments: asked.environment,
      range: parseTimeRange(asked, nowMs),
      untilMs,
      filter: asked.traceIds ? amongTraces(part, asked.traceIds) : part,
    };
    const rows = await listLogs(events, scope, { order: asked.order, offset, limit: asked.limit + 1 });
    linkPages(request, reply, getUrl(), {
      next: rows.length > asked.limit ? { value: untilMs, offset: offset + asked.limit, previous: false } : undefined,
      previous: offset > 0 ? { value: untilMs, offset: Math.max(0, offset - asked.limit), previous: true } : undefined,
    });
    return { rows: rows.slice(0, asked.limit), projects: new Map(projects.map((one) => [one.id, one])) };
  };

/** `events/` of the dataset `logs`: a table of the fields that are asked for, null in every row for one that is not known. */
export async function answerLogTable(
  api: Api,
  membership: Membership,
  asked: Omit<Asked, 'order' | 'limit'> & {
    readonly sort: readonly string[];
    readonly field: readonly string[];
    readonly per_page: number;
  },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<LogTable> {
  const order = orderOf(asked.sort);
  const { rows, projects } = await pagesOf(api)(membership, { ...asked, order, limit: asked.per_page }, request, reply);
  return toLogTable(rows, asked.field.length ? asked.field : traceColumns, projects);
}

export function logRoutes(api: Api): void {
  const { state, events } = api.deps;
  const page = pagesOf(api);

  implement(api, contract.listLogs, async ({ caller: { membership }, query, request, reply }) => {
    const { rows } = await page(membership, { ...query, order: orderOf([query.sort]) }, request, reply);
    return rows.map(toLog);
  });

  implement(api, contract.getLog, async ({ caller: { membership }, params }) => {
    const projects = await seenProjects(state, membership);
    const ids = projects.map(({ id }) => id);
    const log = await findLog(events, ids, params.log);
    if (!log) throw new CodedError('NOT_FOUND', [things.log(params.log)]);
    return toLogDetails(log);
  });

  implement(api, contract.listTraceLogs, async ({ caller: { membership }, query, request, reply }) => {
    const traceIds = query.traceId.map((id) => id.replaceAll('-', '').toLowerCase());
    if (!traceIds.length || traceIds.some((id) => !/^[0-9a-f]{32}$/.test(id))) {
      throw new CodedError('INPUT_INVALID', [texts.traceId]);
    }
    const order = orderOf(query.orderby);
    const { rows, projects } = await page(
      membership,
      { ...query, environment: [], order, limit: query.per_page, traceIds },
      request,
      reply,
    );
    return toLogTable(rows, traceColumns, projects);
  });
}

/** Logs of clocks that are a little ahead belong to the list as well. */
const latest = (nowMs: number): number => nowMs + 60_000;

function orderOf(sorts: readonly string[]): LogOrder {
  const [sort = '-timestamp'] = sorts;
  if (sort.replace(/^-/, '') !== 'timestamp') throw new CodedError('INPUT_INVALID', [texts.sort]);
  return sort.startsWith('-') ? 'newest' : 'oldest';
}
