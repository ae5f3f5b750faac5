/** What is looked for in traces, and what can be set of it: for forms, so that they need no table of their own. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams } from '../shared/schemas.ts';

const PerformanceDetector = z
  .object({
    name: z.string().describe('In `settings.performance` of a project.'),
    title: z.string().describe('Title of its issues.'),
    issueType: z.string(),
    fields: z.array(
      z.object({
        key: z.string(),
        unit: z.enum(['ms', 'bytes', 'count', 'share', 'characters']),
        help: z.string(),
        default: z.number(),
        least: z.number(),
        most: z.number(),
      }),
    ),
  })
  .meta({ id: 'PerformanceDetector' });

export const listDetectors = endpoint({
  method: 'GET',
  url: '/organizations/:org/performance-detectors/',
  id: 'listPerformanceDetectors',
  tag: 'Performance',
  summary: 'Get detectors of performance problems with their thresholds',
  access: 'project:read',
  params: orgParams,
  response: z.array(PerformanceDetector),
});
