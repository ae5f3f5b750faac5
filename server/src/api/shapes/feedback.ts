/** Feedback and attachments as the API gives them. */
import type { z } from 'zod';
import type { Attachment } from '../../attachments/index.ts';
import type { Feedback } from '../../feedback/index.ts';
import type { IssueRow } from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import type * as contract from '../contract/feedback.ts';
import { pageAddress } from '../web-address.ts';
import { shortIdOf } from './issue.ts';
import { iso } from './read.ts';

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

export function toFeedback(given: Feedback, place: FeedbackPlace): Shown {
  const { project } = place;
  const { user, browser, os, tags = {} } = given.details;
  return {
    id: String(given.id),
    feedbackId: given.feedbackId,
    kind: given.kind,
    status: given.status,
    message: given.message,
    name: given.name || null,
    email: given.email || null,
    url: pageAddress(given.url),
    source: given.source || null,
    eventId: given.eventId || null,
    replayId: given.replayId || null,
    traceId: given.traceId || null,
    release: given.release || null,
    environment: given.environment || null,
    user: user ?? null,
    browser: browser ?? null,
    os: os ?? null,
    tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
    project: { id: String(project.id), slug: project.slug, name: project.name },
    issue: issueRef(place),
    dateCreated: iso(given.createdAt),
  };
}

export const toUserReport = (given: Feedback, place: FeedbackPlace): Report => ({
  id: String(given.id),
  eventID: given.eventId,
  event: { id: given.eventId, eventID: given.eventId },
  name: given.name,
  email: given.email,
  comments: given.message,
  user: null,
  dateCreated: iso(given.createdAt),
  issue: issueRef(place),
});

export const toAttachment = (given: Attachment, sha1: string | null = null): ShownAttachment => ({
  id: given.id,
  event_id: given.eventId,
  name: given.name,
  type: given.attachmentType,
  mimetype: given.declaredType || null,
  kind: given.kind,
  size: given.sizeBytes,
  sha1,
  notStored: given.notStored ?? null,
  dateCreated: iso(given.receivedAt),
  headers: { 'Content-Type': given.declaredType || 'application/octet-stream' },
});
