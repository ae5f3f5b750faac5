/** Comments under the name that Sentry's clients have for them. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams, orgIssueParams } from '../issues/contract.ts';
import { pageQuery, perPage } from '../shared/schemas.ts';
import { CommentRequest, IssueComment } from './contract.ts';

const tag = 'Comments';
const list = '/issues/:issue/notes/';
const orgList = `/organizations/:org${list}` as const;
const noteId = { id: z.string().max(20) };

const listRoute = {
  method: 'GET',
  tag,
  summary: "List comments of an issue, under Sentry's name",
  access: 'event:read',
  query: z.object({
    cursor: pageQuery.cursor,
    per_page: perPage.default(100).describe('Rows per page.'),
  }),
  response: z.array(IssueComment).describe('Newest first; the newest 500.'),
} as const;

export const listNotes = endpoint({ ...listRoute, url: list, id: 'listNotes', params: issueParams });
export const listOrganizationNotes = endpoint({
  ...listRoute,
  url: orgList,
  id: 'listOrganizationNotes',
  params: orgIssueParams,
});

const addRoute = {
  method: 'POST',
  tag,
  summary: "Write a comment, under Sentry's name",
  access: 'event:write',
  body: CommentRequest,
  status: 201,
  response: IssueComment,
} as const;

export const addNote = endpoint({ ...addRoute, url: list, id: 'addNote', params: issueParams });
export const addOrganizationNote = endpoint({
  ...addRoute,
  url: orgList,
  id: 'addOrganizationNote',
  params: orgIssueParams,
});

const updateRoute = {
  method: 'PUT',
  tag,
  summary: "Edit your own comment, under Sentry's name",
  access: 'event:write',
  body: CommentRequest,
  response: IssueComment,
} as const;

export const updateNote = endpoint({
  ...updateRoute,
  url: `${list}:id/`,
  id: 'updateNote',
  params: issueParams.extend(noteId),
});
export const updateOrganizationNote = endpoint({
  ...updateRoute,
  url: `${orgList}:id/`,
  id: 'updateOrganizationNote',
  params: orgIssueParams.extend(noteId),
});

const deleteRoute = {
  method: 'DELETE',
  tag,
  summary: "Delete a comment, under Sentry's name",
  access: 'event:write',
  status: 204,
} as const;

export const deleteNote = endpoint({
  ...deleteRoute,
  url: `${list}:id/`,
  id: 'deleteNote',
  params: issueParams.extend(noteId),
});
export const deleteOrganizationNote = endpoint({
  ...deleteRoute,
  url: `${orgList}:id/`,
  id: 'deleteOrganizationNote',
  params: orgIssueParams.extend(noteId),
});
