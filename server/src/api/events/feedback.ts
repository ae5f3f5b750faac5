/** The event of feedback, as Sentry's clients have it. */
import type { z } from 'zod';
import type { Feedback } from '../../domains/feedback/index.ts';
import { shortVersion } from '../../domains/releases/index.ts';
import { feedbackFacts, type Place } from '../issues/feedback.ts';
import { iso } from '../shared/read.ts';
import { pageAddress } from '../shared/web-address.ts';
import type { Event } from './contract.ts';

const orNull = (text: string): string | null => (text === '' ? null : text);

const filled = (fields: Readonly<Record<string, string | null | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => Boolean(entry[1])));

/** The event that the feedback came in, as far as it is kept. */
export function toFeedbackEvent(feedback: Feedback, { project }: Pick<Place, 'project'>): z.output<typeof Event> {
  const { user, browser, os, tags = {} } = feedback.details;
  const isKnown = Boolean(user ?? (feedback.email || feedback.name));
  const shown = feedbackFacts(feedback, { project, baseUrl: '' });
  const contexts = {
    feedback: filled({
      message: feedback.message,
      name: feedback.name,
      contact_email: feedback.email,
      url: pageAddress(feedback.url),
      source: feedback.source,
      associated_event_id: feedback.eventId,
      replay_id: feedback.replayId,
    }),
    ...(feedback.traceId && { trace: { trace_id: feedback.traceId } }),
    ...(browser && { browser: { name: browser } }),
    ...(os && { os: { name: os } }),
  };
  return {
    id: feedback.feedbackId,
    eventID: feedback.feedbackId,
    groupID: shown.id,
    projectID: String(project.id),
    'event.type': 'generic',
    type: 'generic',
    title: shown.title,
    message: feedback.message,
    culprit: orNull(shown.culprit),
    location: null,
    platform: orNull(project.platform),
    level: 'info',
    environment: orNull(feedback.environment),
    traceId: orNull(feedback.traceId),
    digest: null,
    user: isKnown
      ? {
          id: null,
          email: orNull(feedback.email),
          username: user ?? null,
          ip_address: null,
          name: orNull(feedback.name),
          geo: null,
          data: null,
        }
      : null,
    tags: Object.entries(
      filled({ ...tags, environment: feedback.environment, release: feedback.release, level: 'info' }),
    ).map(([key, value]) => ({ key, value })),
    dateCreated: iso(feedback.createdAt),
    metadata: shown.metadata,
    entries: [],
    contexts,
    context: {},
    sdk: null,
    release: feedback.release ? { version: feedback.release, shortVersion: shortVersion(feedback.release) } : null,
    dist: null,
    logger: null,
    spanId: null,
    packages: {},
    fingerprints: [],
    groupingConfig: { id: '' },
    occurrence: null,
    symbolication: { mapped: 0, unresolved: 0 },
    errors: [],
    dateReceived: iso(feedback.receivedAt),
    size: Buffer.byteLength(feedback.message),
    crashFile: null,
    userReport: null,
    _meta: {},
    nextEventID: null,
    previousEventID: null,
    position: 1,
    total: 1,
  };
}
