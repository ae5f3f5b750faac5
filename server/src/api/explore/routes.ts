/** Explore: tables, series and comparisons of events and spans. */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as explore from '../../domains/explore/index.ts';
import { createRowCounts, listFields } from '../../domains/fields/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { exactTimeRange, lastPeriod, parseTimeRange, type RangeRequest } from '../../base/time-range.ts';
import { explore as texts } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkCursors, parseCursor } from '../shared/pagination.ts';
import { answerLogTable } from '../logs/routes.ts';
import { attributeTypeOf, validateQuestion } from './validate.ts';
import { toCount, toStats, toTableMeta, toTimeseries } from './shapes.ts';

/** What all questions have, from a query or a body. */
interface Asked extends RangeRequest {
  readonly dataset: explore.ExploreDataSet;
  readonly project: readonly string[];
  readonly environment: readonly string[];
  readonly query?: string | undefined;
  readonly selection?: { readonly query: string };
}

export interface ReadScope {
  readonly projects: readonly Project[];
  readonly scope: explore.ExploreScope;
}

/** Pages begin at most there: further on a table is no table to look at any more. */
const lastOffset = 10_000;
const maxRows = 100;

export async function readScope({ deps }: Api, membership: Membership, asked: Asked): Promise<ReadScope> {
  const nowMs = Date.now();
  const range = exactTimeRange(asked, nowMs) ?? exactTimeRange({ statsPeriod: explore.defaultPeriod }, nowMs);
  if (!range) throw new TypeError('a period is a range');
  const projects = await chooseProjects(deps.state, membership, asked.project, asked.query);
  const environments = asked.environment.filter((name) => name !== '');
  const latestReleases = await explore.latestNamed(deps.state, projects, [asked.query, asked.selection?.query]);
  return { projects, scope: { dataSet: asked.dataset, projects, environments, range, nowMs, latestReleases } };
}

export function exploreRoutes(api: Api): void {
  const { state, events, getUrl, sampling: limits = explore.samplingLimits } = api.deps;
  const stores = { state, events };

  implement(api, contract.exploreEvents, async ({ caller: { membership }, query, request, reply }) => {
    const { dataset, per_page: limit } = query;
    if (dataset === 'logs') return answerLogTable(api, membership, query, request, reply);
    if (limit > maxRows) throw new CodedError('INPUT_INVALID', [texts.perPage(maxRows)]);
    const { scope, projects } = await readScope(api, membership, { ...query, dataset });
    const question = explore.readTable(scope, query);
    const offset = parseCursor(query.cursor)?.offset ?? 0;
    if (offset > lastOffset) {
      throw new CodedError('INPUT_INVALID', [texts.lastPage(lastOffset)]);
    }
    const page = { limit, offset, signal: request.signal, sampling: query.sampling ? limits : undefined };
    const { rows, hasMore, sampling, intervals } = await explore.readTableRows(stores, question, projects, page);
    linkCursors(request, reply, getUrl(), {
      next: hasMore && offset + limit <= lastOffset ? `0:${offset + limit}:0` : undefined,
      previous: offset ? `0:${Math.max(0, offset - limit)}:1` : undefined,
    });
    return { data: rows.map(withOwnArrays), meta: toTableMeta(question, sampling, intervals) };
  });

  const readSeries = async (
    membership: Membership,
    query: Asked &
      Omit<explore.SeriesTexts, 'topEvents'> & {
        readonly topEvents?: number | undefined;
        readonly interval?: string | undefined;
        readonly excludeOther?: string | undefined;
        readonly sampling?: string | undefined;
      },
    signal: AbortSignal,
  ) => {
    const { scope, projects } = await readScope(api, membership, query);
    const question = explore.readSeries(scope, { ...query, topEvents: query.topEvents ?? 0 });
    const intervalMs = explore.parseInterval(query.interval);
    const withOther = query.excludeOther !== '1' && query.excludeOther !== 'true';
    const sampling = query.sampling ? limits : undefined;
    const series = await explore.readSeriesOf(stores, question, projects, { intervalMs, withOther, signal, sampling });
    return { question, series, nowMs: scope.nowMs };
  };

  implement(api, contract.exploreStats, async ({ caller: { membership }, query, request }) => {
    const asked = { ...query, groupBy: query.field };
    const { question, series } = await readSeries(membership, asked, request.signal);
    return toStats(question, series);
  });

  implement(api, contract.exploreTimeseries, async ({ caller: { membership }, query, request }) => {
    const { question, series, nowMs } = await readSeries(membership, query, request.signal);
    return toTimeseries(question, series, nowMs);
  });

  implement(api, contract.exploreMeta, async ({ caller: { membership }, query, request }) => {
    const { scope, projects } = await readScope(api, membership, query);
    const question = explore.readTable(scope, { query: query.query, field: ['id'], sort: [] });
    const options = { sampling: query.sampling ? limits : undefined, signal: request.signal };
    return toCount(await explore.countRows(stores, question, projects, options));
  });

  const counts = createRowCounts(events);
  implement(api, contract.exploreAttributes, async ({ caller: { membership }, query, request }) => {
    const { attributeType } = query;
    const { scope } = await readScope(api, membership, { ...query, dataset: 'spans' });
    const asked = {
      set: 'spans',
      projectIds: scope.projects.map(({ id }) => id),
      environments: scope.environments,
      range: parseTimeRange(query, scope.nowMs) ?? lastPeriod(explore.defaultPeriod, scope.nowMs),
      nowMs: scope.nowMs,
      signal: request.signal,
    } as const;
    const { fields } = await listFields({ events, counts }, asked);
    return fields
      .map(({ key, kind, type }) => ({ key, kind, type: attributeTypeOf(type) }))
      .filter(({ kind, type }) => kind !== 'function' && (attributeType === undefined || type === attributeType))
      .filter(({ key }) => key.includes(query.substringMatch))
      .map(({ key, kind, type }) => ({
        key,
        // `tags[cart.items,number]` as people know it.
        name: /^tags\[(.+),\w+\]$/.exec(key)?.[1] ?? key,
        attributeType: type,
        attributeSource: { source_type: kind === 'field' ? ('sentry' as const) : ('user' as const) },
      }));
  });

  implement(api, contract.validateExplore, async ({ caller: { membership }, query }) =>
    validateQuestion(api, membership, query),
  );

  implement(api, contract.exploreCompare, async ({ caller: { membership }, body, request }) => {
    const { scope, projects } = await readScope(api, membership, body);
    const { query, start, end, range } = body.selection;
    if (!query && !start && !range) {
      throw new CodedError('INPUT_INVALID', [texts.selection]);
    }
    const compared = await explore.compareSelection(
      stores,
      explore.readComparison(scope, body.query, {
        query,
        range: exactTimeRange({ start, end }, scope.nowMs),
        values: range,
        limit: body.limit,
      }),
      projects,
      request.signal,
    );
    return {
      ...compared,
      attributes: compared.attributes.map((one) => ({ ...one, values: one.values.map((value) => ({ ...value })) })),
    };
  });
}

/** Arrays as the contract has them, which says nothing of what may be written. */
const withOwnArrays = (row: explore.Row): Record<string, string | number | boolean | null | (string | number)[]> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isList(value) ? [...value] : value]));

const isList = (value: explore.Cell): value is readonly (string | number)[] => Array.isArray(value);
