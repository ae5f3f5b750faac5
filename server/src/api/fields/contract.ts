/** What a search can name, and which values that has in the data. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const dataset = z
  .enum(['events', 'errors', 'discover', 'spans', 'transactions'])
  .default('events')
  .describe('events (errors, discover) or spans (transactions).');

const SearchField = z
  .object({
    key: z.string().describe('As a search names it; a tag called like a field is tags[name].'),
    name: z.string(),
    kind: z.enum(['tag', 'field', 'measurement', 'function']),
    type: z.string().describe('text, number, duration, size, percentage, date, boolean, version, choice, …'),
    description: z.string().describe('In a line; may be empty.'),
    totalValues: z
      .int()
      .nullable()
      .describe('Rows that have it, among those looked at; null for what was not counted.'),
    sampled: z.boolean().describe('True when only a sample of the rows was looked at.'),
  })
  .meta({ id: 'SearchField' });

export const listSearchFields = endpoint({
  method: 'GET',
  url: '/organizations/:org/tags/',
  id: 'listSearchFields',
  tag: 'Searches',
  summary: 'Fields that a search can name, and tags and measurements of the data',
  description: 'Fields first, then what the data has, most used first. Range 14d when none is given.',
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
    count: z.int().describe('Rows among those looked at.'),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
    sampled: z.boolean().describe('True when the count is of a sample of the rows.'),
  })
  .meta({ id: 'SearchFieldValue' });

export const listFieldValues = endpoint({
  method: 'GET',
  url: '/organizations/:org/tags/:key/values/',
  id: 'listFieldValues',
  tag: 'Searches',
  summary: 'Values of a field or tag',
  description: 'Those that begin with the text first, then by frequency. Range 14d when none is given.',
  access: 'event:read',
  params: orgParams.extend({ key: z.string().max(250).describe('As a search names it: release, tags[level].') }),
  query: z.object({
    dataset,
    query: z.string().max(200).default('').describe('What the value has in it, whatever the case.'),
    limit: z.coerce.number().int().min(1).max(100).default(20),
    ...scopeQuery,
    ...rangeQuery,
  }),
  response: z.array(SearchFieldValue),
});
