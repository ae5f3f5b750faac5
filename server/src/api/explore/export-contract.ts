/** Results of Explore as files, made in the background. */
import { z } from 'zod';
import { exportedTables } from '../../base/tables/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ExploreQuestion } from './contract.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const format = z.enum(['csv', 'jsonl']);

/** Beside what Explore finds, rows of other data as they are stored. */
export const ExportQuestion = ExploreQuestion.extend({
  dataset: z
    .enum(['errors', 'spans', 'transactions', ...exportedTables])
    .describe(
      `${exportedTables.join(', ')} only, rows as stored: \`field\` selects columns, default all; no query or sort.`,
    ),
}).meta({ id: 'ExportQuestion' });

const DataExport = z
  .object({
    id: z.string(),
    format,
    question: ExportQuestion,
    status: z
      .enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'expired'])
      .describe('A restart of the server starts a running export again.'),
    progress: z.number().describe('From 0 to 1.'),
    rows: z.int().describe('Rows written until now.'),
    total: z.int().nullable().describe('Matching rows; null until counted.'),
    limit: z.int().describe('Maximum number of rows.'),
    truncated: z.boolean().describe('There are more matches than rows.'),
    bytes: z.int(),
    fileName: z.string(),
    detail: z.string().describe('What failed, as text; empty if nothing did.'),
    dateCreated: dateTime(),
    dateFinished: dateTime().nullable(),
    dateExpires: dateTime().nullable().describe('When the file expires.'),
  })
  .meta({ id: 'DataExport' });

const params = orgParams.extend({ export: z.string().regex(/^\d{1,15}$/, invalid.number) });

export const startExport = endpoint({
  method: 'POST',
  url: '/organizations/:org/data-export/',
  id: 'startExport',
  tag: 'Explore',
  summary: 'Export the results of a query',
  description:
    'CSV (RFC 4180), with an apostrophe before text that a spreadsheet would run as a formula, or JSON Lines. At most 1,000,000 rows or 50,000 groups. A relative range ends at the request.',
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
  summary: 'List your exports, newest first',
  description: 'Exports of the last week.',
  access: 'event:read',
  params: orgParams,
  response: z.array(DataExport),
});

export const getExport = endpoint({
  method: 'GET',
  url: '/organizations/:org/data-export/:export/',
  id: 'getExport',
  tag: 'Explore',
  summary: 'Get the progress of an export, or its file',
  description: 'With `download=true` returns the file as `text/csv` or `application/x-ndjson`.',
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
