/** Transactions and web vitals. */
import type { z } from 'zod';
import type { Membership } from '../../accounts/index.ts';
import { CodedError } from '../../errors.ts';
import type { Project } from '../../projects/index.ts';
import { lastPeriod, parseTimeRange } from '../../search/index.ts';
import * as traces from '../../traces/index.ts';
import * as contract from '../contract/performance.ts';
import { type Api, implement } from '../implement.ts';
import { linkPages, parseCursor } from '../pagination.ts';
import { chooseProjects } from '../scope.ts';

type OneQuery = Pick<
  z.output<typeof contract.getTransaction.query>,
  'transaction' | 'op' | 'project' | 'environment' | 'release' | 'statsPeriod' | 'start' | 'end'
>;

export function performanceRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  implement(api, contract.listTransactions, async ({ caller: { membership }, query, request, reply }) => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, query.project);
    const { offset = 0 } = parseCursor(query.cursor) ?? {};
    const { limit } = query;
    const found = await traces.listTransactions(events, {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      releases: query.release,
      range: parseTimeRange(query, nowMs) ?? lastPeriod('24h', nowMs),
      text: query.query,
      sort: query.sort,
      limit,
      offset,
    });
    linkPages(request, reply, getUrl(), {
      next: found.more ? { value: 0, offset: offset + limit, previous: false } : undefined,
      previous: offset > 0 ? { value: 0, offset: Math.max(0, offset - limit), previous: true } : undefined,
    });
    return found.rows.map((row) => ({
      transaction: row.transaction,
      op: row.op,
      project: toProject(projects, row.projectId),
      ...toMeasures(row.now),
      timeShare: found.totalUs ? row.now.totalUs / found.totalUs : 0,
      before: row.before ? toMeasures(row.before) : null,
    }));
  });

  /** The transaction that a query names. Throws `NOT_FOUND` when it was not seen in the range. */
  const readOne = async (membership: Membership, query: OneQuery) => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, [query.project]);
    const [project] = projects;
    if (!project || projects.length > 1) throw new CodedError('INPUT_INVALID', ['name one project']);
    const range = parseTimeRange(query, nowMs) ?? lastPeriod('24h', nowMs);
    const asked: traces.TransactionRequest = {
      projectId: project.id,
      projectIds: [project.id],
      transaction: query.transaction,
      op: query.op,
      environments: query.environment,
      releases: query.release,
      range,
    };
    const [measures, examined] = await Promise.all([
      traces.measureOne(events, asked, asked),
      traces.examinedHours(events, asked),
    ]);
    if (!measures) throw new CodedError('NOT_FOUND', [`transaction ${query.transaction}`]);
    return { asked, project, range, measures, examined };
  };

  implement(api, contract.getTransaction, async ({ caller: { membership }, query }) => {
    const { asked, project, range, measures, examined } = await readOne(membership, query);
    const [series, histogram, samples] = await Promise.all([
      traces.transactionSeries(events, asked),
      traces.latencyHistogram(events, asked, examined),
      traces.sampleTraces(events, asked, examined, measures.now.durations),
    ]);
    const byBucket = new Map(series.map((one) => [one.bucket, one]));
    return {
      transaction: {
        transaction: asked.transaction,
        op: asked.op,
        project: { id: String(project.id), slug: project.slug },
        ...toMeasures(measures.now),
        before: measures.before ? toMeasures(measures.before) : null,
      },
      bucketSeconds: range.bucketMs / 1000,
      series: Array.from({ length: range.buckets }, (_, bucket) => {
        const one = byBucket.get(bucket);
        return {
          at: Math.floor((range.startMs + bucket * range.bucketMs) / 1000),
          count: one?.count ?? 0,
          failed: one?.failed ?? 0,
          ...(one ? toPercentiles(one.durations) : { p50Ms: null, p75Ms: null, p95Ms: null, p99Ms: null }),
        };
      }),
      examined: toExamined(examined),
      histogram: histogram.map(({ fromUs, untilUs, count }) => ({
        fromMs: fromUs / 1000,
        untilMs: untilUs / 1000,
        count,
      })),
      samples: samples.map((sample) => ({
        percentile: percentileNames[sample.percentile] ?? 'p50',
        traceId: sample.traceId,
        spanId: sample.spanId,
        startUs: sample.startUs,
        durationMs: sample.durationUs / 1000,
        status: sample.status,
        user: sample.user,
        release: sample.release,
      })),
    };
  });

  implement(api, contract.listOperations, async ({ caller: { membership }, query }) => {
    const { asked, examined } = await readOne(membership, query);
    const { rows, totalUs } = await traces.operationShares(events, asked, examined, query.limit);
    return {
      ...toExamined(examined),
      operations: rows.map((row) => ({
        op: row.op,
        description: row.description,
        hash: row.hash,
        count: row.count,
        totalMs: row.totalUs / 1000,
        share: totalUs ? row.totalUs / totalUs : 0,
        p75Ms: row.p75Us / 1000,
      })),
    };
  });

  implement(api, contract.listSlowTags, async ({ caller: { membership }, query }) => {
    const { asked, examined, measures } = await readOne(membership, query);
    const slowUs = query.slowMs === undefined ? (measures.now.durations[2] ?? 0) : query.slowMs * 1000;
    const tags = await traces.slowTags(events, asked, examined, slowUs, query.limit);
    return { ...toExamined(examined), slowMs: slowUs / 1000, tags };
  });

  implement(api, contract.listVitals, async ({ caller: { membership }, query }) => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, query.project);
    const groups = await traces.listVitals(events, {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      range: parseTimeRange(query, nowMs) ?? lastPeriod('7d', nowMs),
      by: query.by,
      transaction: query.transaction,
      limit: query.limit,
    });
    return groups.map(({ projectId, vitals, ...group }) => ({
      ...group,
      project: toProject(projects, projectId),
      rating: group.score >= 90 ? ('good' as const) : group.score >= 50 ? ('meh' as const) : ('poor' as const),
      vitals: [...vitals],
    }));
  });
}

const percentileNames = ['p50', 'p75', 'p95', 'p99'] as const;

const toProject = (projects: readonly Project[], id: number): { id: string; slug: string } => ({
  id: String(id),
  slug: projects.find((project) => project.id === id)?.slug ?? '',
});

const toPercentiles = ([p50 = 0, p75 = 0, p95 = 0, p99 = 0]: readonly number[]) => ({
  p50Ms: p50 / 1000,
  p75Ms: p75 / 1000,
  p95Ms: p95 / 1000,
  p99Ms: p99 / 1000,
});

function toMeasures(measures: traces.Measures) {
  const { count, failed, satisfied, tolerated, totalUs, users, durations, periodMs } = measures;
  const of = (share: number): number => (count ? share / count : 0);
  return {
    count,
    perMinute: (count * 60_000) / periodMs,
    failureRate: of(failed),
    apdex: of(satisfied + tolerated / 2),
    users,
    totalMs: totalUs / 1000,
    ...toPercentiles(durations),
  };
}

const toExamined = ({ fromMs, whole }: { readonly fromMs: number; readonly whole: boolean }) => ({
  from: Math.floor(fromMs / 1000),
  whole,
});
