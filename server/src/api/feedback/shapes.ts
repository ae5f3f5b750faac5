/** Feedback and attachments as the API gives them. */
import type { z } from 'zod';
import type { Attachment } from '../../domains/attachments/index.ts';
import type { Feedback } from '../../domains/feedback/index.ts';
import type { IssueRow } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type * as contract from './contract.ts';
import { pageAddress } from '../shared/web-address.ts';
import { shortIdOf } from '../issues/shapes.ts';
import { iso } from '../shared/read.ts';

type Shown = z.output<typeof contract.listFeedback.response>['feedback'][number];
type Report = z.output<typeof contract.listUserReports.response>[number];
type ShownAttachment = z.output<typeof contract.listAttachments.response>[number];

export interface FeedbackPlace {
  readonly project: Project;
  /** That it is about. */
  readonly issue: IssueRow | undefined;
}

const issueRef = ({ issue, project }: FeedbackPlace) =>
  issue ? { id: String(issue.id), shortId: shortIdOf(issue, project), title: issue.title } : null;

export function toFeedback(feedback: Feedback, place: FeedbackPlace): Shown {
  const { project } = place;
  const { user, browser, os, tags = {} } = feedback.details;
  return {
    id: String(feedback.id),
    feedbackId: feedback.feedbackId,
    kind: feedback.kind,
    status: feedback.status,
    message: feedback.message,
    name: feedback.name || null,
    email: feedback.email || null,
    url: pageAddress(feedback.url),
    source: feedback.source || null,
    eventId: feedback.eventId || null,
    replayId: feedback.replayId || null,
    traceId: feedback.traceId || null,
    release: feedback.release || null,
    environment: feedback.environment || null,
    user: user ?? null,
    browser: browser ?? null,
    os: os ?? null,
    tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
    project: { id: String(project.id), slug: project.slug, name: project.name },
    issue: issueRef(place),
    dateCreated: iso(feedback.createdAt),
  };
}

export const toUserReport = (feedback: Feedback, place: FeedbackPlace): Report => ({
  id: String(feedback.id),
  eventID: feedback.eventId,
  event: { id: feedback.eventId, eventID: feedback.eventId },
  name: feedback.name,
  email: feedback.email,
  comments: feedback.message,
  user: null,
  dateCreated: iso(feedback.createdAt),
  issue: issueRef(place),
});

export const toAttachment = (attachment: Attachment, sha1: string | null = null): ShownAttachment => ({
  id: attachment.id,
  event_id: attachment.eventId,
  name: attachment.name,
  type: attachment.attachmentType,
  mimetype: attachment.declaredType || null,
  kind: attachment.kind,
  size: attachment.sizeBytes,
  sha1,
  notStored: attachment.notStored ?? null,
  removed: attachment.removed ?? null,
  dateCreated: iso(attachment.receivedAt),
  headers: { 'Content-Type': attachment.declaredType || 'application/octet-stream' },
});
