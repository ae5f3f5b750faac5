/** Thresholds of the detectors under the names of Sentry's clients; `settings.performance` of a project has the same. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { projectParams } from '../shared/schemas.ts';

const PerformanceConfiguration = z
  .record(z.string().max(100), z.union([z.number(), z.boolean()]))
  .describe('Such as `n_plus_one_db_count` and `n_plus_one_db_queries_detection_enabled`; times in ms, sizes in bytes.')
  .meta({ id: 'PerformanceConfiguration' });

const common = {
  url: '/projects/:org/:project/performance-issues/configure/',
  tag: 'Performance',
  params: projectParams,
  response: PerformanceConfiguration,
} as const;

export const getPerformanceConfiguration = endpoint({
  ...common,
  method: 'GET',
  id: 'getPerformanceConfiguration',
  summary: 'Thresholds of the detectors of performance problems',
  access: 'project:read',
});

export const updatePerformanceConfiguration = endpoint({
  ...common,
  method: 'PUT',
  id: 'updatePerformanceConfiguration',
  summary: 'Change thresholds, and which detectors run; what is left out stays',
  access: 'project:write',
  body: PerformanceConfiguration,
});
