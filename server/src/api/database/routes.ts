/** Queries to databases, all and one. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { lastPeriod, parseTimeRange } from '../../base/time-range.ts';
import * as database from '../../domains/database/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { linkContext, linkOf } from '../../domains/repositories/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, parseCursor } from '../shared/pagination.ts';
import * as contract from './contract.ts';

type OneQuery = Pick<
  z.output<typeof contract.getDatabaseQuery.query>,
  'environment' | 'release' | 'statsPeriod' | 'start' | 'end'
>;

export function databaseRoutes(api: Api): void {
  const { state, events, getUrl, sampling } = api.deps;
  const limits = { numbers: sampling ?? database.numbersLimits, attributes: sampling ?? database.attributesLimits };

  implement(api, contract.listDatabaseQueries, async ({ caller: { membership }, query, request, reply }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const { offset = 0 } = parseCursor(query.cursor) ?? {};
    const { limit } = query;
    const scope = toScope(query);
    const found = await database.listQueries(
      events,
      { ...scope, projectIds: projects.map(({ id }) => id), text: query.query, sort: query.sort, limit, offset },
      limits.numbers,
    );
    linkPages(request, reply, getUrl(), {
      next: found.more ? { value: 0, offset: offset + limit, previous: false } : undefined,
      previous: offset > 0 ? { value: 0, offset: Math.max(0, offset - limit), previous: true } : undefined,
    });
    const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
    return {
      data: found.rows.map(({ projectId, hash, count, totalUs, p50Us, p95Us, ...row }) => ({
        id: hash,
        project: { id: String(projectId), slug: slugs.get(projectId) ?? '' },
        ...row,
        ...toNumbers({ count, totalUs }, scope),
        timeShare: found.totalUs ? totalUs / found.totalUs : 0,
        p50Ms: p50Us / 1000,
        p95Ms: p95Us / 1000,
      })),
      meta: { share: found.share ?? null },
    };
  });

  const one = (project: Project, hash: string, query: OneQuery): database.QueryScope => ({
    ...toScope(query),
    projectIds: [project.id],
    hash,
  });

  implement(api, contract.getDatabaseQuery, async ({ caller: { project }, params, query }) => {
    const scope = one(project, params.query, query);
    const found = await database.readQuery(events, scope, limits.numbers);
    if (!found) throw new CodedError('NOT_FOUND', [things.databaseQuery(params.query)]);
    const { statement, op, system, service, count, failed, durations, series, share } = found;
    const [p50 = 0, p75 = 0, p95 = 0, p99 = 0] = durations;
    const { startMs, bucketMs } = scope.range;
    return {
      id: params.query,
      project: { id: String(project.id), slug: project.slug },
      statement,
      op,
      system,
      service,
      ...toNumbers(found, scope),
      p50Ms: p50 / 1000,
      p75Ms: p75 / 1000,
      p95Ms: p95 / 1000,
      p99Ms: p99 / 1000,
      failureRate: count ? failed / count : 0,
      bucketSeconds: bucketMs / 1000,
      series: series.map((bucket, index) => ({
        at: Math.floor((startMs + index * bucketMs) / 1000),
        ...toBucket(bucket),
      })),
      share: share ?? null,
    };
  });

  implement(api, contract.listQueryTransactions, async ({ caller: { project }, params, query }) => {
    const scope = one(project, params.query, query);
    const { rows, totalUs, share } = await database.readCallers(events, scope, query.limit, limits.numbers);
    return {
      transactions: rows.map(({ transaction, op, p95Us, ...row }) => ({
        transaction,
        op,
        ...toNumbers(row, scope),
        timeShare: totalUs ? row.totalUs / totalUs : 0,
        p95Ms: p95Us / 1000,
      })),
      share: share ?? null,
    };
  });

  implement(api, contract.listCallSites, async ({ caller: { project }, params, query }) => {
    const scope = one(project, params.query, query);
    const { sites, samples, ...counts } = await database.readCallSites(events, scope, limits.attributes);
    const links = await linksOf(project, sites);
    return {
      ...counts,
      sites: sites.map(({ function: name, file, line, count, totalUs, transactions, sample }, index) => ({
        function: name,
        file,
        line,
        count,
        totalMs: totalUs / 1000,
        link: links[index] ?? null,
        transactions: [...transactions],
        longest: toCall(sample),
      })),
      samples: samples.map(({ transaction, release, failed, site, ...sample }) => ({
        ...toCall(sample),
        transaction,
        release,
        failed,
        site: site ?? null,
      })),
    };
  });

  /** Where each line is shown, in the release that called it last. */
  async function linksOf(project: Project, sites: readonly database.CalledFrom[]): Promise<(string | undefined)[]> {
    const releases = [...new Set(sites.map(({ release }) => release))];
    const contexts = new Map(
      await Promise.all(
        releases.map(async (release) => [release, await linkContext(state, project, release)] as const),
      ),
    );
    return sites.map(({ file, line, namespace, release }) => {
      const context = contexts.get(release);
      const frame = { filename: file, absPath: file, module: namespace, lineNo: line || undefined };
      return file && context ? linkOf(frame, context) : undefined;
    });
  }
}

function toScope(query: OneQuery): Pick<database.QueryScope, 'environments' | 'releases' | 'range' | 'nowMs'> {
  const nowMs = Date.now();
  const range = parseTimeRange(query, nowMs) ?? lastPeriod('24h', nowMs);
  return { environments: query.environment, releases: query.release, range, nowMs };
}

const toNumbers = (
  { count, totalUs }: { readonly count: number; readonly totalUs: number },
  { range }: Pick<database.QueryScope, 'range'>,
) => ({
  count,
  perMinute: (count * 60_000) / Math.max(1, range.endMs - range.startMs),
  totalMs: totalUs / 1000,
});

function toBucket(bucket: database.QueryNumbers | undefined) {
  const [p50, , p95] = bucket?.count ? bucket.durations : [];
  return {
    count: bucket?.count ?? 0,
    failed: bucket?.failed ?? 0,
    p50Ms: p50 === undefined ? null : p50 / 1000,
    p95Ms: p95 === undefined ? null : p95 / 1000,
  };
}

type Timed = Pick<database.QuerySample, 'traceId' | 'spanId' | 'startUs' | 'durationUs'>;

const toCall = ({ traceId, spanId, startUs, durationUs }: Timed) => ({
  traceId,
  spanId,
  startUs,
  durationMs: durationUs / 1000,
});
