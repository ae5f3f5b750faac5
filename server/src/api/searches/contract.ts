/** Saved and recent searches. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const SearchType = z.enum(['issues', 'explore']).describe('The issue list or Explore.');

const fields = {
  name: z.string().trim().min(1, invalid.empty).max(128),
  query: z.string().max(4096),
  sort: z.string().max(200).describe('Order of the list; empty: default.'),
  type: SearchType,
  visibility: z.enum(['owner', 'organization']).describe('owner: for its creator. organization: for all members.'),
  state: z.record(z.string().max(100), z.unknown()).nullable().describe('Further state of the page; at most 16 kB.'),
  isPinned: z.boolean().describe("Whether it is one of the caller's tabs."),
};

/** Read before it is parsed further: what a page keeps is small. */
const smallState = fields.state.refine((state) => JSON.stringify(state).length <= 16_384, invalid.size('16 kB'));

export const SavedSearch = z
  .object({
    id: z.string(),
    ...fields,
    owner: z.object({ id: z.string(), name: z.string() }),
    canChange: z.boolean().describe('Whether the caller may rename, change and delete it.'),
    dateCreated: dateTime(),
  })
  .meta({ id: 'SavedSearch' });

export const listSearches = endpoint({
  method: 'GET',
  url: '/organizations/:org/searches/',
  id: 'listSearches',
  tag: 'Searches',
  summary: 'List saved searches, your own and shared ones',
  access: 'event:read',
  params: orgParams,
  query: z.object({ type: SearchType.optional() }),
  response: z.array(SavedSearch).describe('By name.'),
});

export const createSearch = endpoint({
  method: 'POST',
  url: '/organizations/:org/searches/',
  id: 'createSearch',
  tag: 'Searches',
  summary: 'Save a search',
  access: 'event:write',
  params: orgParams,
  body: z
    .object({
      ...fields,
      type: fields.type.default('issues'),
      sort: fields.sort.default(''),
      visibility: fields.visibility.default('owner'),
      state: smallState.default(null),
      isPinned: fields.isPinned.default(false),
    })
    .meta({ id: 'SavedSearchRequest' }),
  status: 201,
  response: SavedSearch,
});

const idParams = orgParams.extend({ id: z.string().max(20) });

export const updateSearch = endpoint({
  method: 'PUT',
  url: '/organizations/:org/searches/:id/',
  id: 'updateSearch',
  tag: 'Searches',
  summary: 'Rename, change, share or pin a saved search; omitted fields stay',
  description: 'Only creators and administrators change shared searches; anyone can pin them.',
  access: 'event:write',
  params: idParams,
  body: z
    .object({
      name: fields.name,
      query: fields.query,
      sort: fields.sort,
      visibility: fields.visibility,
      state: smallState,
      isPinned: fields.isPinned,
    })
    .partial()
    .meta({ id: 'SavedSearchUpdate' }),
  response: SavedSearch,
});

export const deleteSearch = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/searches/:id/',
  id: 'deleteSearch',
  tag: 'Searches',
  summary: 'Delete a saved search',
  access: 'event:write',
  params: idParams,
  status: 204,
});

const RecentSearch = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    type: SearchType,
    query: z.string(),
    lastSeen: dateTime('Time of the last run.'),
    dateCreated: dateTime(),
  })
  .meta({ id: 'RecentSearch' });

export const listRecentSearches = endpoint({
  method: 'GET',
  url: '/organizations/:org/recent-searches/',
  id: 'listRecentSearches',
  tag: 'Searches',
  summary: 'List recent searches of the caller',
  access: 'event:read',
  params: orgParams,
  query: z.object({ type: SearchType.default('issues') }),
  response: z.array(RecentSearch).describe('Latest first, without duplicates, at most 20.'),
});

export const noteRecentSearch = endpoint({
  method: 'POST',
  url: '/organizations/:org/recent-searches/',
  id: 'noteRecentSearch',
  tag: 'Searches',
  summary: 'Record that a search was run',
  access: 'event:read',
  params: orgParams,
  body: z
    .object({ type: SearchType.default('issues'), query: z.string().trim().min(1, invalid.empty).max(4096) })
    .meta({ id: 'RecentSearchRequest' }),
  status: 204,
});
