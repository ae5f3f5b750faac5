/** Web vitals: by page, over time, and what makes them. */
import { CodedError } from '../../base/errors.ts';
import { lastPeriod, parseTimeRange } from '../../base/time-range.ts';
import * as traces from '../../domains/traces/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { ratingOf, toExamined, toProject } from './shapes.ts';

export function vitalsRoutes(api: Api): void {
  const { state, events } = api.deps;
  const rangeOf = (query: Parameters<typeof parseTimeRange>[0]) => {
    const nowMs = Date.now();
    return parseTimeRange(query, nowMs) ?? lastPeriod('7d', nowMs);
  };

  implement(api, contract.listVitals, async ({ caller: { membership }, query }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const groups = await traces.listVitals(events, {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      range: rangeOf(query),
      by: query.by,
      transaction: query.transaction,
      limit: query.limit,
    });
    return groups.map(({ projectId, vitals, score, ...group }) => ({
      ...group,
      score: score ?? null,
      project: projectId === undefined ? null : toProject(projects, projectId),
      rating: ratingOf(score),
      vitals: vitals.map((vital) => ({ ...vital, score: vital.score ?? null })),
    }));
  });

  implement(api, contract.getVitalSeries, async ({ caller: { membership }, query }) => {
    const projects = await chooseProjects(state, membership, query.project);
    const { startMs, bucketMs, count, buckets } = await traces.vitalSeries(events, {
      projectIds: projects.map(({ id }) => id),
      environments: query.environment,
      range: rangeOf(query),
      transaction: query.transaction,
    });
    const indexes = Array.from({ length: count }, (_, index) => index);
    const byPlace = new Map(buckets.map((bucket) => [`${bucket.vital} ${bucket.bucket}`, bucket]));
    return {
      bucketSeconds: bucketMs / 1000,
      times: indexes.map((index) => Math.floor((startMs + index * bucketMs) / 1000)),
      vitals: traces.vitalNames
        .filter((vital) => buckets.some((bucket) => bucket.vital === vital))
        .map((vital) => ({
          vital,
          points: indexes.map((index) => {
            const bucket = byPlace.get(`${vital} ${index}`);
            return bucket ? { count: bucket.count, good: bucket.good, poor: bucket.poor, p75: bucket.p75 } : null;
          }),
        })),
    };
  });

  implement(api, contract.getVitalCauses, async ({ caller: { membership }, query }) => {
    const projects = await chooseProjects(state, membership, [query.project]);
    const [project] = projects;
    if (!project || projects.length > 1) throw new CodedError('INPUT_INVALID', [requests.oneProject]);
    const { examined, pageLoads, elements, resources, samples } = await traces.vitalCauses(events, {
      projectIds: [project.id],
      environments: query.environment,
      range: rangeOf(query),
      transaction: query.transaction,
    });
    return {
      ...toExamined(examined),
      pageLoads,
      elements: [...elements],
      resources: resources.map(({ p75Us, ...resource }) => ({ ...resource, p75Ms: p75Us / 1000 })),
      samples: [...samples],
    };
  });
}
