/** What a search can name, and which values that has in the data. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const dataset = z
  .enum(['events', 'errors', 'discover', 'spans', 'transactions'])
  .default('events')
  .describe('events (errors, discover) or spans (transactions).');

const SearchField = z
  .object({
    key: z.string().describe('Name in searches; a tag named like a field is tags[name].'),
    name: z.string(),
    kind: z.enum(['tag', 'field', 'measurement', 'function']),
    type: z.string().describe('text, number, duration, size, percentage, date, boolean, version, choice, …'),
    description: z.string().describe('One line; may be empty.'),
    totalValues: z.int().nullable().describe('Rows with it among those read; null if not counted.'),
    sampled: z.boolean().describe('True if only a sample of rows was read.'),
  })
  .meta({ id: 'SearchField' });

export const listSearchFields = endpoint({
  method: 'GET',
  url: '/organizations/:org/tags/',
  id: 'listSearchFields',
  tag: 'Searches',
  summary: 'List searchable fields, tags and measurements',
  description: 'Fields first, then tags, most used first. Default range: 14d.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ dataset, ...scopeQuery, ...rangeQuery }),
  response: z.array(SearchField),
});

const SearchFieldValue = z
  .object({
    key: z.string(),
    value: z.string(),
    name: z.string(),
    count: z.int().describe('Rows among those read.'),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
    sampled: z.boolean().describe('True if the count is from a sample.'),
  })
  .meta({ id: 'SearchFieldValue' });

export const listFieldValues = endpoint({
  method: 'GET',
  url: '/organizations/:org/tags/:key/values/',
  id: 'listFieldValues',
  tag: 'Searches',
  summary: 'List values of a field or tag',
  description: 'Values that start with the text first, then by frequency. Default range: 14d.',
  access: 'event:read',
  params: orgParams.extend({ key: z.string().max(250).describe('Name in searches: release, tags[level].') }),
  query: z.object({
    dataset,
    query: z.string().max(200).default('').describe('Text within the value, ignoring case.'),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    ...scopeQuery,
    ...rangeQuery,
  }),
  response: z.array(SearchFieldValue),
});

export const listProjectFieldValues = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/tags/:key/values/',
  id: 'listProjectFieldValues',
  tag: 'Searches',
  summary: 'List values of a field or tag in a project',
  description: 'Values that start with the text first, then by frequency. Default range: 14d.',
  access: 'event:read',
  params: projectParams.extend({ key: z.string().max(250).describe('Name in searches: release, tags[level].') }),
  query: listFieldValues.query.omit({ project: true }),
  response: z.array(SearchFieldValue),
});
