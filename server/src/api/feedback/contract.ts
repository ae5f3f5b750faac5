/** What users say of an application, and attachments of events. */
import { z } from 'zod';
import { feedbackStatuses } from '../../domains/feedback/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { issueParams } from '../issues/contract.ts';
import { dateTime, orgParams, pageQuery, projectParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const text = (what: string) => z.string().nullable().describe(`${what}; null where nobody says.`);

const Attachment = z
  .object({
    id: z.string(),
    event_id: z.string(),
    name: z.string(),
    type: z.string().describe('event.attachment, event.view_hierarchy, …'),
    mimetype: text('The type as its sender says'),
    kind: z.enum(['image', 'text', 'json', 'other']).describe('By name and declared type: how to show it.'),
    size: z.int().describe('Bytes.'),
    sha1: z.string().nullable().describe('Of one that is asked for by itself.'),
    notStored: z
      .string()
      .nullable()
      .describe('Why its content was refused, in a sentence; null for one that is there.'),
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
    name: text('Of who wrote it'),
    email: text('Of who wrote it'),
    url: text('Page that it is about'),
    source: text('widget, api, …'),
    eventId: text('Event that it is about'),
    replayId: text('Replay of the session'),
    traceId: text('Trace'),
    release: text('Release'),
    environment: text('Environment'),
    user: text('Who was signed in'),
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
  summary: 'What users said, newest first',
  description: 'How many have each status stands beside the rows. Cursor pagination in the Link header.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...scopeQuery,
    ...rangeQuery,
    ...pageQuery,
    status: z.enum([...feedbackStatuses, 'all']).default('open'),
    query: z.string().max(200).default('').describe('Words of message, name, e-mail or address.'),
    issue: z.string().max(20).optional().describe('Id of an issue: only what is about it.'),
  }),
  response: z.object({
    feedback: z.array(Feedback),
    counts: z.object({ open: z.int(), resolved: z.int(), spam: z.int() }),
  }),
});

const oneParams = orgParams.extend({ feedback: z.string().max(20).describe('Id of the feedback.') });

export const getFeedback = endpoint({
  method: 'GET',
  url: '/organizations/:org/feedback/:feedback/',
  id: 'getFeedback',
  tag: 'Feedback',
  summary: 'One, with its attachments',
  access: 'event:read',
  params: oneParams,
  response: FeedbackDetail,
});

export const updateFeedback = endpoint({
  method: 'PUT',
  url: '/organizations/:org/feedback/',
  id: 'updateFeedback',
  tag: 'Feedback',
  summary: 'Resolve several, reopen them, or say that they are spam',
  access: 'event:write',
  params: orgParams,
  body: z
    .object({ ids: z.array(z.string().max(20)).min(1).max(1000), status: z.enum(feedbackStatuses) })
    .meta({ id: 'FeedbackUpdate' }),
  response: z
    .array(z.object({ id: z.string(), before: z.enum(feedbackStatuses) }))
    .describe('Those whose status is another now.'),
});

export const deleteFeedback = endpoint({
  method: 'DELETE',
  url: '/organizations/:org/feedback/:feedback/',
  id: 'deleteFeedback',
  tag: 'Feedback',
  summary: 'Delete one for good',
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
  summary: "What users said of a project, in Sentry's shape",
  access: 'project:read',
  params: projectParams,
  query: z.object(pageQuery),
  response: z.array(UserReport),
});

export const listIssueUserReports = endpoint({
  method: 'GET',
  url: '/issues/:issue/user-reports/',
  id: 'listIssueUserReports',
  tag: 'Feedback',
  summary: "What users said of an issue, in Sentry's shape",
  access: 'event:read',
  params: issueParams,
  query: z.object(pageQuery),
  response: z.array(UserReport),
});

const eventParams = projectParams.extend({
  event: z
    .string()
    .regex(/^[0-9a-f-]{32,36}$/i, 'must be an event id')
    .describe('Id of the event, or of a feedback.'),
});
const attachmentParams = eventParams.extend({ attachment: z.string().max(60).describe('Id of the attachment.') });

export const listAttachments = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/attachments/',
  id: 'listAttachments',
  tag: 'Events',
  summary: 'Attachments of an event, or of a feedback',
  access: 'event:read',
  params: eventParams,
  response: z.array(Attachment),
});

export const getAttachment = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/events/:event/attachments/:attachment/',
  id: 'getAttachment',
  tag: 'Events',
  summary: 'One attachment',
  description:
    'About it; its bytes with `download`. Images of known kinds are served as such, text as text/plain, everything else as a download; all of it sandboxed.',
  access: 'event:read',
  params: attachmentParams,
  query: z.object({
    download: z.string().max(5).optional().describe('The bytes, to be stored.'),
    show: z.string().max(5).optional().describe('The bytes, to be looked at where that is safe.'),
  }),
  produces: 'application/octet-stream',
});

export const deleteAttachment = endpoint({
  method: 'DELETE',
  url: '/projects/:org/:project/events/:event/attachments/:attachment/',
  id: 'deleteAttachment',
  tag: 'Events',
  summary: 'Delete an attachment for good',
  access: 'event:admin',
  params: attachmentParams,
});
