/** What users say of an application, and attachments of events. */
import { z } from 'zod';
import { feedbackStatuses } from '../../domains/feedback/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams, orgIssueParams } from '../issues/contract.ts';
import { dateTime, orgParams, pageQuery, perPage, projectParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const text = (what: string) => z.string().nullable().describe(`${what}; null if not set.`);

const Attachment = z
  .object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    type: z.string().describe('event.attachment, event.view_hierarchy, …'),
    mimetype: text('Type as sent'),
    kind: z.enum(['image', 'text', 'json', 'other']).describe('How to show it, by name and declared type.'),
    size: z.int().describe('Bytes that are stored.'),
    sha1: z.string().nullable().describe('Single requests only.'),
    notStored: z.string().nullable().describe('Why its content was rejected, as a sentence; null if stored.'),
    removed: z.string().nullable().describe('What was removed from its text, as a sentence; null if nothing was.'),
    dateCreated: dateTime(),
    headers: z.record(z.string(), z.string()).describe('Content-Type.'),
  })
  .meta({ id: 'Attachment' });

const Feedback = z
  .object({
    id: z.string(),
    feedbackId: z.string(),
    kind: z.enum(['feedback', 'user_report']),
    status: z.enum(feedbackStatuses),
    message: z.string(),
    name: text('Name of the author'),
    email: text('Email address of the author'),
    url: text('Page of the feedback'),
    source: text('widget, api, …'),
    eventId: text('Event of the feedback'),
    replayId: text('Replay of the session'),
    traceId: text('Trace'),
    release: text('Release'),
    environment: text('Environment'),
    user: text('Signed-in user'),
    browser: text('Name and version'),
    os: text('Name and version'),
    tags: z.array(z.object({ key: z.string(), value: z.string() })),
    project: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }).nullable(),
    dateCreated: dateTime(),
  })
  .meta({ id: 'Feedback' });

const FeedbackDetail = Feedback.extend({ attachments: z.array(Attachment) }).meta({ id: 'FeedbackDetail' });

export const listFeedback = endpoint({
  method: 'GET',
  url: '/organizations/:org/feedback/',
  id: 'listFeedback',
  tag: 'Feedback',
  summary: 'List user feedback, newest first',
  description: 'Includes counts by status. Cursor pagination in the Link header.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...scopeQuery,
    ...rangeQuery,
    ...pageQuery,
    status: z.enum([...feedbackStatuses, 'all']).default('open'),
    query: z.string().max(200).default('').describe('Words in message, name, email or address.'),
    issue: z.string().max(20).optional().describe('ID of an issue: its feedback only.'),
  }),
  response: z.object({
    feedback: z.array(Feedback),
    counts: z.object({ open: z.int(), resolved: z.int(), spam: z.int() }),
  }),
});

const oneParams = orgParams.extend({ feedback: z.string().max(20).describe('ID of the feedback.') });

export const getFeedback = endpoint({
  method: 'GET',
  url: '/organizations/:org/feedback/:feedback/',
  id: 'getFeedback',
  tag: 'Feedback',
  summary: 'Get feedback with its attachments',
  access: 'event:read',
  params: oneParams,
  response: FeedbackDetail,
});

export const updateFeedback = endpoint({
  method: 'PUT',
  url: '/organizations/:org/feedback/',
  id: 'updateFeedback',
  tag: 'Feedback',
  summary: 'Resolve, reopen or mark feedback as spam',
  access: 'event:write',
  params: orgParams,
  body: z
    .object({ ids: z.array(z.string().max(20)).min(1).max(1000), status: z.enum(feedbackStatuses) })
    .meta({ id: 'FeedbackUpdate' }),
  response: z
    .array(z.object({ id: z.string(), before: z.enum(feedbackStatuses) }))
    .describe('Feedback whose status changed.'),
});

export const deleteFeedback = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/feedback/:feedback/',
  id: 'deleteFeedback',
  tag: 'Feedback',
  summary: 'Delete feedback permanently',
  access: 'event:admin',
  params: oneParams,
});

const UserReport = z
  .object({
    id: z.string(),
    eventID: z.string(),
    event: z.object({ id: z.string(), eventID: z.string() }),
    name: z.string(),
    email: z.string(),
    comments: z.string(),
    user: z.null(),
    dateCreated: dateTime(),
    issue: z.object({ id: z.string(), shortId: z.string(), title: z.string() }).nullable(),
  })
  .meta({ id: 'UserReport' });

export const listUserReports = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/user-feedback/',
  id: 'listUserReports',
  tag: 'Feedback',
  summary: "List user feedback of a project in Sentry's shape",
  access: 'project:read',
  params: projectParams,
  query: z.object(pageQuery),
  response: z.array(UserReport),
});

const issueReportsRoute = {
  method: 'GET',
  tag: 'Feedback',
  summary: "List user feedback of an issue in Sentry's shape",
  access: 'event:read',
  query: z.object({ ...pageQuery, per_page: perPage.describe('The same as limit.') }),
  response: z.array(UserReport),
} as const;

export const listIssueUserReports = endpoint({
  ...issueReportsRoute,
  url: '/issues/:issue/user-reports/',
  id: 'listIssueUserReports',
  params: issueParams,
});
export const listOrganizationIssueUserReports = endpoint({
  ...issueReportsRoute,
  url: '/organizations/:org/issues/:issue/user-reports/',
  id: 'listOrganizationIssueUserReports',
  params: orgIssueParams,
});

const eventParams = projectParams.extend({
  event: z
    .string()
    .regex(/^[0-9a-f-]{32,36}$/i, invalid.eventId)
    .describe('ID of the event or feedback.'),
});
const attachmentParams = eventParams.extend({ attachment: z.string().max(60).describe('ID of the attachment.') });

export const listAttachments = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/attachments/',
  id: 'listAttachments',
  tag: 'Events',
  summary: 'List attachments of an event or feedback',
  access: 'event:read',
  params: eventParams,
  response: z.array(Attachment),
});

export const getAttachment = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/attachments/:attachment/',
  id: 'getAttachment',
  tag: 'Events',
  summary: 'Get an attachment',
  description:
    'Returns its metadata, and its bytes with `download`. Known image types keep their type, text is text/plain, and other types are downloads. All are sandboxed.',
  access: 'event:read',
  params: attachmentParams,
  query: z.object({
    download: z.string().max(5).optional().describe('The bytes, as a download.'),
    show: z.string().max(5).optional().describe('The bytes, for display if safe.'),
  }),
  produces: 'application/octet-stream',
});

export const deleteAttachment = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/events/:event/attachments/:attachment/',
  id: 'deleteAttachment',
  tag: 'Events',
  summary: 'Delete an attachment permanently',
  access: 'event:admin',
  params: attachmentParams,
});
