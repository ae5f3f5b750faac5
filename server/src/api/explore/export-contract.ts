/** Results of Explore as files, made in the background. */
import { z } from 'zod';
import { exportedTables } from '../../base/tables/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ExploreQuestion } from './contract.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const format = z.enum(['csv', 'jsonl']);

/** Beside what Explore finds, rows of other data as they are stored. */
export const ExportQuestion = ExploreQuestion.extend({
  dataset: z
    .enum(['errors', 'spans', 'transactions', ...exportedTables])
    .describe(
      `Of ${exportedTables.join(', ')} rows as they are stored: \`field\` are columns, none for all; neither query nor sort.`,
    ),
}).meta({ id: 'ExportQuestion' });

const DataExport = z
  .object({
    id: z.string(),
    format,
    question: ExportQuestion,
    status: z
      .enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'expired'])
      .describe('After a restart of the server, one that was running begins again.'),
    progress: z.number().describe('From 0 to 1.'),
    rows: z.int().describe('Written so far.'),
    total: z.int().nullable().describe('Rows that were found; null until they were counted.'),
    limit: z.int().describe('So many rows are written at most.'),
    truncated: z.boolean().describe('More were found than are written.'),
    bytes: z.int(),
    fileName: z.string(),
    detail: z.string().describe('What went wrong, in words; empty for nothing.'),
    dateCreated: dateTime(),
    dateFinished: dateTime().nullable(),
    dateExpires: dateTime().nullable().describe('The file is deleted then.'),
  })
  .meta({ id: 'DataExport' });

const params = orgParams.extend({ export: z.string().regex(/^\d{1,15}$/, 'must be a number') });

export const startExport = endpoint({
  method: 'POST',
  url: '/organizations/:org/data-export/',
  id: 'startExport',
  tag: 'Explore',
  summary: 'Export what a question finds',
  description:
    'CSV as in RFC 4180, with text that a spreadsheet would take for a formula put behind an apostrophe; or JSON Lines. Rows: at most 1,000,000; groups: at most 50,000. A relative time range counts from the request.',
  access: 'event:read',
  status: 201,
  params: orgParams,
  body: z.object({ format: format.default('csv'), question: ExportQuestion }),
  response: DataExport,
});

export const listExports = endpoint({
  method: 'GET',
  url: '/organizations/:org/data-export/',
  id: 'listExports',
  tag: 'Explore',
  summary: 'Own exports, the newest first',
  description: 'Those of the last week.',
  access: 'event:read',
  params: orgParams,
  response: z.array(DataExport),
});

export const getExport = endpoint({
  method: 'GET',
  url: '/organizations/:org/data-export/:export/',
  id: 'getExport',
  tag: 'Explore',
  summary: 'How far an export is, or its file',
  description: 'With `download=true` the file itself, as `text/csv` or `application/x-ndjson`.',
  access: 'event:read',
  params,
  query: z.object({ download: z.enum(['true', 'false', '1', '0', '']).optional() }),
  response: DataExport,
  // Written by the handler, which may send the file instead.
  produces: 'application/json',
});

export const cancelExport = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/data-export/:export/',
  id: 'cancelExport',
  tag: 'Explore',
  summary: 'Cancel an export, or delete its file',
  access: 'event:read',
  status: 204,
  params,
});
