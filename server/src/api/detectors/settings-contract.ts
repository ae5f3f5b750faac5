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
  summary: 'Get thresholds of performance detectors',
  access: 'project:read',
});

export const updatePerformanceConfiguration = endpoint({
  ...common,
  method: 'PUT',
  id: 'updatePerformanceConfiguration',
  summary: 'Change thresholds and enabled detectors; omitted fields stay',
  access: 'project:write',
  body: PerformanceConfiguration,
});
