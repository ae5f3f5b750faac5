/** What can be changed of an issue, or of many, and how people and teams stand in the answers. */
import { z } from 'zod';
import { limitPeriods, mostLimitedEvents } from '../../base/event-limit.ts';
import { dateTime } from '../shared/schemas.ts';

export const Person = z.object({ id: z.string(), name: z.string(), email: z.string() }).meta({ id: 'Person' });

/** Who an issue is assigned to, as Sentry gives it. */
export const Assignee = z
  .object({
    type: z.enum(['user', 'team']),
    id: z.string(),
    name: z.string().describe('Slug of a team, without the #.'),
    email: z.string().optional().describe('Users only.'),
  })
  .meta({ id: 'Assignee' });

export const Participant = z
  .object({ type: z.literal('user'), ...Person.shape })
  .describe('A subscriber of the issue.')
  .meta({ id: 'Participant' });

export const SeenBy = Person.extend({ lastSeen: dateTime() }).meta({ id: 'SeenBy' });

export const SubscriptionDetails = z
  .object({
    reason: z
      .enum(['manual', 'mentioned', 'assigned', 'commented', 'bookmarked', 'changed'])
      .optional()
      .describe('Reason of the subscription.'),
    disabled: z.literal(true).optional().describe('The user unsubscribed.'),
  })
  .meta({ id: 'SubscriptionDetails' });

export const priority = z.enum(['high', 'medium', 'low']);

const count = z.int().min(1).max(1_000_000_000);
const minutes = z
  .int()
  .min(1)
  .max(525_600 * 10);

const StatusDetails = z
  .object({
    inNextRelease: z.boolean().optional().describe('Resolved in the release after the newest one.'),
    inRelease: z.string().min(1).max(250).optional().describe('Resolved in this release; `latest` for the newest one.'),
    inCommit: z
      .object({ commit: z.string().min(1).max(64), repository: z.string().max(200).optional() })
      .optional()
      .describe('Resolved once a release contains this commit.'),
    ignoreDuration: minutes.optional().describe('Minutes until it is unresolved again.'),
    ignoreCount: count.optional().describe('Number of events until it is unresolved again.'),
    ignoreWindow: minutes.optional().describe('Window for the events in minutes.'),
    ignoreUserCount: count.optional().describe('Number of users until it is unresolved again.'),
    ignoreUserWindow: minutes.optional().describe('Window for the users in minutes.'),
    ignoreUntil: dateTime().optional(),
  })
  .meta({ id: 'StatusDetailsUpdate' });

export const EventLimit = z
  .object({
    events: z.int().min(1).max(mostLimitedEvents).describe('Events that are stored in each minute or hour.'),
    per: z.enum(limitPeriods),
  })
  .meta({ id: 'EventLimit' });

export const changeFields = {
  status: z
    .enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'archived'])
    .optional()
    .describe('`ignored` and `archived` are equivalent.'),
  substatus: z
    .string()
    .max(40)
    .nullish()
    .describe('Archived issues: archived_until_escalating, archived_until_condition_met, archived_forever.'),
  statusDetails: StatusDetails.optional().describe('Release of the resolution, or condition of the archive.'),
  assignedTo: z
    .string()
    .max(200)
    .nullish()
    .describe('`user:ID`, `team:ID`, an email address, `#team` or `me`; empty or null: unassigned.'),
  priority: priority.nullish().describe('null: derived from the level.'),
  isBookmarked: z.boolean().optional().describe('Your bookmark.'),
  isSubscribed: z.boolean().optional().describe('Your subscription.'),
  hasSeen: z.boolean().optional().describe('Whether you have seen it.'),
  isPublic: z.boolean().optional().describe('Whether a public link exists.'),
  eventLimit: EventLimit.nullish().describe(
    'Maximum number of its events that are stored; the others are counted. For each 1,000 users of those, one more is stored. null: all are stored. Not for performance problems.',
  ),
  discard: z
    .literal(true)
    .optional()
    .describe('Delete it and drop its further events. Not combined with other changes; requires issue administration.'),
};

export const IssueChange = z.object(changeFields).meta({ id: 'IssueChange' });

export const Undo = z
  .object({ id: z.string() })
  .nullable()
  .describe('Undo: POST /organizations/{org}/issues/bulk/{id}/undo/. null if nothing changed.');
