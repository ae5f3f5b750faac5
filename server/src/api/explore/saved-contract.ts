/** Questions of Explore that people keep. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { ExploreQuestion as Question } from './contract.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const visibility = z.enum(['owner', 'organization']);

const SavedQuestion = z
  .object({
    id: z.string(),
    name: z.string(),
    visibility: visibility.describe('owner: visible to its owner only.'),
    question: Question,
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    mine: z.boolean(),
    canChange: z.boolean().describe('Whether the caller may change and delete it.'),
    dateCreated: dateTime(),
  })
  .meta({ id: 'SavedQuestion' });

/** What is kept is small. */
const question = Question.refine((value) => JSON.stringify(value).length <= 16_384, invalid.size('16 kB'));

const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, invalid.control);

const params = orgParams.extend({ saved: z.string().regex(/^\d{1,15}$/, invalid.number) });

export const listSavedQuestions = endpoint({
  method: 'GET',
  url: '/organizations/:org/explore/saved/',
  id: 'listSavedQuestions',
  tag: 'Explore',
  summary: "List saved queries, your own and the organisation's",
  description: 'By name.',
  access: 'event:read',
  params: orgParams,
  response: z.array(SavedQuestion),
});

export const saveQuestion = endpoint({
  method: 'POST',
  url: '/organizations/:org/explore/saved/',
  id: 'saveQuestion',
  tag: 'Explore',
  summary: 'Save a question',
  description: 'The query must be valid. Each user can save at most 200.',
  access: 'event:write',
  status: 201,
  params: orgParams,
  body: z.object({ name, visibility: visibility.default('owner'), question }),
  response: SavedQuestion,
});

export const getSavedQuestion = endpoint({
  method: 'GET',
  url: '/organizations/:org/explore/saved/:saved/',
  id: 'getSavedQuestion',
  tag: 'Explore',
  summary: 'Get a saved query',
  access: 'event:read',
  params,
  response: SavedQuestion,
});

export const updateSavedQuestion = endpoint({
  method: 'PUT',
  url: '/organizations/:org/explore/saved/:saved/',
  id: 'updateSavedQuestion',
  tag: 'Explore',
  summary: 'Update a saved query',
  description: 'Requires its owner; for shared ones also an administrator of the organisation.',
  access: 'event:write',
  params,
  body: z.object({
    name: name.optional(),
    visibility: visibility.optional(),
    question: question.optional(),
  }),
  response: SavedQuestion,
});

export const deleteSavedQuestion = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/explore/saved/:saved/',
  id: 'deleteSavedQuestion',
  tag: 'Explore',
  summary: 'Delete a saved query',
  access: 'event:write',
  status: 204,
  params,
});
