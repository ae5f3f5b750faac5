/** Transactions, all and one. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { SqlPart } from '../../base/sql.ts';
import { deploysBetween } from '../../domains/releases/index.ts';
import { lastPeriod, parseTimeRange, type TimeRange } from '../../base/time-range.ts';
import * as traces from '../../domains/traces/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { things } from '../../base/texts/things.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, parseCursor } from '../shared/pagination.ts';
import { percentileNames, toExamined, toMarks, toMeasures, toProject, toSeries } from './shapes.ts';

type OneQuery = Pick<
  z.output<typeof contract.getTransaction.query>,
  'transaction' | 'op' | 'project' | 'environment' | 'release' | 'statsPeriod' | 'start' | 'end'
>;

/** Of one chart. */
const maxMarks = 50;

export function performanceRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;
  const rangeOf = (query: Parameters<typeof parseTimeRange>[0]): TimeRange => {
    const nowMs = Date.now();
    return parseTimeRange(query, nowMs) ?? lastPeriod('24h', nowMs);
  };

  /** What changed while these transactions came. */
  const marksOf = async (
    asked: Parameters<typeof traces.newReleases>[1] & { readonly range: TimeRange },
    narrowed: SqlPart,
  ) => {
    const { projectIds, environments, range } = asked;
    const { startMs, endMs } = range;
    const [deploys, firstSeen] = await Promise.all([
      deploysBetween(state, { projectIds, environments, startMs, endMs, limit: maxMarks }),
      traces.newReleases(events, asked, narrowed, maxMarks),
    ]);
    return toMarks(deploys, firstSeen).slice(0, maxMarks);
  };

  implement(api, contract.listDeployMarks, async ({ caller: { membership }, query }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const { startMs, endMs } = rangeOf(query);
    const projectIds = projects.map(({ id }) => id);
    const asked = { projectIds, environments: query.environment, startMs, endMs, limit: maxMarks };
    return toMarks(await deploysBetween(state, asked), []);
  });

  implement(api, contract.listTransactions, async ({ caller: { membership }, query, request, reply }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const { offset = 0 } = parseCursor(query.cursor) ?? {};
    const { limit } = query;
    const found = await traces.listTransactions(events, {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      releases: query.release,
      range: rangeOf(query),
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

  implement(api, contract.getTransactionSeries, async ({ caller: { membership }, query }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const asked = {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      releases: query.release,
      range: rangeOf(query),
    };
    const narrowed = traces.named(query.query);
    const [compared, marks] = await Promise.all([
      traces.compareSeries(events, asked, narrowed),
      marksOf(asked, narrowed),
    ]);
    const { bucketMs, now, before, totals, totalsBefore } = compared;
    return {
      bucketSeconds: bucketMs / 1000,
      totals: totals ? toMeasures(totals) : null,
      before: totalsBefore ? toMeasures(totalsBefore) : null,
      series: toSeries(now, compared),
      seriesBefore: toSeries(before, compared),
      marks,
    };
  });

  /** The transaction that a query names. */
  const askFor = async (membership: Membership, query: OneQuery) => {
    const projects = await chooseProjects(state, membership, [query.project]);
    const [project] = projects;
    if (!project || projects.length > 1) throw new CodedError('INPUT_INVALID', [requests.oneProject]);
    const asked: traces.TransactionRequest = {
      projectId: project.id,
      projectIds: [project.id],
      transaction: query.transaction,
      op: query.op,
      environments: query.environment,
      releases: query.release,
      range: rangeOf(query),
    };
    return { asked, project };
  };

  /** And how it did. Throws `NOT_FOUND` when it was not seen in the range. */
  const readOne = async (membership: Membership, query: OneQuery) => {
    const { asked, project } = await askFor(membership, query);
    const [measures, examined] = await Promise.all([
      traces.measureOne(events, asked, asked),
      traces.examinedHours(events, asked),
    ]);
    if (!measures) throw new CodedError('NOT_FOUND', [things.transaction(query.transaction)]);
    return { asked, project, measures, examined };
  };

  implement(api, contract.getTransaction, async ({ caller: { membership }, query }) => {
    const { asked, project, measures, examined } = await readOne(membership, query);
    const [series, { bars, sampledOneIn }, marks] = await Promise.all([
      traces.transactionSeries(events, asked),
      traces.latencyHistogram(events, asked, examined, toPicked(query)),
      marksOf(asked, traces.ofKey(asked)),
    ]);
    const buckets = Array.from({ length: asked.range.buckets }, (_, bucket) => series.get(bucket));
    return {
      transaction: {
        transaction: asked.transaction,
        op: asked.op,
        project: { id: String(project.id), slug: project.slug },
        ...toMeasures(measures.now),
        before: measures.before ? toMeasures(measures.before) : null,
      },
      bucketSeconds: asked.range.bucketMs / 1000,
      series: toSeries(buckets, asked.range),
      marks,
      examined: toExamined(examined),
      sampledOneIn: sampledOneIn ?? null,
      histogram: bars.map(({ fromUs, untilUs, count }) => ({ fromMs: fromUs / 1000, untilMs: untilUs / 1000, count })),
    };
  });

  implement(api, contract.listSamples, async ({ caller: { membership }, query }) => {
    const { asked, measures, examined } = await readOne(membership, query);
    const picked = toPicked(query);
    const byDuration = picked.fromUs !== undefined || picked.untilUs !== undefined;
    const samples = byDuration
      ? await traces.pickedTraces(events, asked, examined, picked)
      : await traces.sampleTraces(events, asked, examined, picked, measures.now.durations);
    return {
      ...toExamined(examined),
      samples: samples.map((sample) => ({
        percentile: percentileNames[sample.percentile] ?? null,
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
    const { rows, totalUs } = await traces.operationShares(events, asked, examined, toPicked(query), query.limit);
    return {
      ...toExamined(examined),
      operations: rows.map(({ op, description, hash, count, traceId, spanId, startUs, ...row }) => ({
        op,
        description,
        hash,
        count,
        totalMs: row.totalUs / 1000,
        share: totalUs ? row.totalUs / totalUs : 0,
        p75Ms: row.p75Us / 1000,
        longest: { traceId, spanId, startUs },
      })),
    };
  });

  implement(api, contract.listSlowTags, async ({ caller: { membership }, query }) => {
    const { asked, examined, measures } = await readOne(membership, query);
    const picked = toPicked(query);
    const isPicked = picked.fromUs !== undefined || picked.untilUs !== undefined;
    const fromUs = isPicked ? (picked.fromUs ?? 0) : Math.floor(measures.now.durations[2] ?? 0);
    const { count, slow, tags } = await traces.slowTags(events, asked, examined, { ...picked, fromUs }, query.limit);
    return {
      ...toExamined(examined),
      fromMs: fromUs / 1000,
      untilMs: picked.untilUs === undefined ? null : picked.untilUs / 1000,
      count,
      slow,
      tags: [...tags],
    };
  });
}

function toPicked(query: {
  readonly tag: readonly string[];
  readonly durationFrom?: number | undefined;
  readonly durationUntil?: number | undefined;
}): traces.Picked {
  const toUs = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms * 1000));
  return {
    fromUs: toUs(query.durationFrom),
    untilUs: toUs(query.durationUntil),
    tags: query.tag.map((tag) => {
      const colon = tag.indexOf(':');
      return { key: tag.slice(0, colon), value: tag.slice(colon + 1) };
    }),
  };
}
