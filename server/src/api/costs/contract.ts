/** What projects take of the disk, and what of it. */
import { z } from 'zod';
import { retentionClasses } from '../../base/retention.ts';
import { sampledTables } from '../../domains/costs/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams } from '../shared/schemas.ts';

const tag = 'Retention';

const classes = z
  .array(z.object({ name: z.enum(retentionClasses), bytes: z.int(), rows: z.int() }))
  .describe('Approximate: by rows; of errors, spans and logs by rows and their sampled size.');
const measuredAt = dateTime().nullable().describe('null: not measured yet. Measured every six hours.');

const estimate = {
  bytes: z.int().describe('Estimated bytes on disk.'),
  low: z.int().describe('Lower bound of the 95% interval.'),
  high: z.int().describe('Upper bound of the 95% interval.'),
};
const Cost = z.object({ name: z.string(), events: z.int(), ...estimate }).meta({ id: 'Cost' });
const table = z.enum(sampledTables);

export const listCosts = endpoint({
  method: 'GET',
  url: '/organizations/:org/costs/',
  id: 'listCosts',
  tag,
  summary: 'List what projects take of the disk, the largest first',
  access: 'project:read',
  params: orgParams,
  response: z.array(
    z
      .object({
        project: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
        measuredAt: dateTime(),
        bytes: z.int(),
        classes,
      })
      .meta({ id: 'ProjectCost' }),
  ),
});

export const getCosts = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/costs/',
  id: 'getCosts',
  tag,
  summary: 'Get what issues, releases, SDKs, parts of errors and attributes take of the disk',
  description:
    'Estimated from samples of stored errors, spans and logs, in the background; the answer reads what was measured last.',
  access: 'project:read',
  params: projectParams,
  response: z
    .object({
      measuredAt,
      bytes: z.int(),
      classes,
      events: z.int().describe('Stored errors.'),
      sampled: z.int().describe('Errors whose payloads were measured.'),
      issues: z.array(Cost.extend({ id: z.string(), shortId: z.string(), title: z.string() })),
      releases: z.array(Cost),
      sdks: z.array(Cost),
      parts: z.array(Cost).describe('Top-level parts of an error, such as breadcrumbs.'),
      tables: z
        .array(
          z.object({
            table,
            rows: z.int(),
            sampled: z.int().describe('Rows that were measured.'),
            attributes: z.array(
              Cost.extend({
                selector: z
                  .string()
                  .nullable()
                  .describe('Selects it in scrubbing rules, such as one that removes it; null: none should.'),
              }),
            ),
          }),
        )
        .describe(
          'What attributes take; of errors their tags, contexts and extra. Logs have `body`, spans `description`.',
        ),
      growth: z
        .array(
          z.object({
            table,
            release: z.string(),
            before: z.string().describe('The release before.'),
            part: z.string().describe('A part of an error, or an attribute. Empty: the whole error, span or log.'),
            times: z.number().describe('Mean bytes per error, span or log, as a multiple of the release before.'),
            low: z.number(),
            high: z.number(),
          }),
        )
        .describe('What the newest release sends more of, by at least 1.2 times with 95% confidence.'),
    })
    .meta({ id: 'ProjectCosts' }),
});
