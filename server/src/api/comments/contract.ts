/** What people write about an issue. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams } from '../issues/contract.ts';
import { dateTime } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

export const IssueComment = z
  .object({
    id: z.string(),
    type: z.literal('note'),
    text: z.string().describe('Markdown.'),
    data: z.object({ text: z.string() }).describe("Same as above, for Sentry's clients."),
    user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    mentions: z
      .array(z.object({ type: z.enum(['user', 'team']), id: z.string(), name: z.string(), handle: z.string() }))
      .describe('Mentions: `@handle` and `#team`.'),
    canChange: z.boolean().describe('Whether the caller may edit it: true for their own.'),
    canDelete: z.boolean().describe('True for the author and event administrators.'),
    dateCreated: dateTime(),
    dateEdited: dateTime().nullable(),
  })
  .meta({ id: 'IssueComment' });

export const listComments = endpoint({
  method: 'GET',
  url: '/issues/:issue/comments/',
  id: 'listComments',
  tag: 'Comments',
  summary: 'List comments of an issue',
  access: 'event:read',
  params: issueParams,
  response: z.array(IssueComment).describe('Newest first, at most 500.'),
});

export const CommentRequest = z
  .object({
    text: z.string().trim().min(1, invalid.empty).max(16_384, invalid.atMost(16_384)),
    mentions: z
      .array(z.string().max(80))
      .max(50)
      .optional()
      .describe('`user:ID` and `team:ID`, for clients whose text has no handles.'),
  })
  .meta({ id: 'CommentRequest' });

export const addComment = endpoint({
  method: 'POST',
  url: '/issues/:issue/comments/',
  id: 'addComment',
  tag: 'Comments',
  summary: 'Write a comment',
  description: 'Mentioned people are notified and subscribed; the author is subscribed.',
  access: 'event:write',
  params: issueParams,
  body: CommentRequest,
  status: 201,
  response: IssueComment,
});

const commentParams = issueParams.extend({ id: z.string().max(20) });

export const updateComment = endpoint({
  method: 'PUT',
  url: '/issues/:issue/comments/:id/',
  id: 'updateComment',
  tag: 'Comments',
  summary: 'Edit your own comment',
  description: 'New mentions are notified.',
  access: 'event:write',
  params: commentParams,
  body: CommentRequest,
  response: IssueComment,
});

export const deleteComment = endpoint({
  method: 'DELETE',
  url: '/issues/:issue/comments/:id/',
  id: 'deleteComment',
  tag: 'Comments',
  summary: 'Delete a comment',
  description: 'It can be restored for an hour.',
  access: 'event:write',
  params: commentParams,
  status: 204,
});

export const restoreComment = endpoint({
  method: 'POST',
  url: '/issues/:issue/comments/:id/restore/',
  id: 'restoreComment',
  tag: 'Comments',
  summary: 'Undo the deletion of a comment',
  access: 'event:write',
  params: commentParams,
  response: IssueComment,
});
