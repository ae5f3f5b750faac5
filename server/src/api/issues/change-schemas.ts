/** What can be changed of an issue, or of many, and how people and teams stand in the answers. */
import { z } from 'zod';
import { dateTime } from '../shared/schemas.ts';

export const Person = z.object({ id: z.string(), name: z.string(), email: z.string() }).meta({ id: 'Person' });

/** Who an issue is assigned to, as Sentry gives it. */
export const Assignee = z
  .object({
    type: z.enum(['user', 'team']),
    id: z.string(),
    name: z.string().describe('Of a team its slug, without the #.'),
    email: z.string().optional().describe('Of people.'),
  })
  .meta({ id: 'Assignee' });

export const Participant = z
  .object({ type: z.literal('user'), ...Person.shape })
  .describe('Somebody who is told what happens to the issue.')
  .meta({ id: 'Participant' });

export const SeenBy = Person.extend({ lastSeen: dateTime() }).meta({ id: 'SeenBy' });

export const SubscriptionDetails = z
  .object({
    reason: z
      .enum(['manual', 'mentioned', 'assigned', 'commented', 'bookmarked', 'changed'])
      .optional()
      .describe('Why one is told of it.'),
    disabled: z.literal(true).optional().describe('One has said that one does not want to be told.'),
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
    inRelease: z.string().min(1).max(250).optional().describe('Resolved in this release; `latest` for the newest.'),
    inCommit: z
      .object({ commit: z.string().min(1).max(64), repository: z.string().max(200).optional() })
      .optional()
      .describe('Resolved once a release has this commit.'),
    ignoreDuration: minutes.optional().describe('Minutes until it is unresolved again.'),
    ignoreCount: count.optional().describe('Unresolved again after so many more events.'),
    ignoreWindow: minutes.optional().describe('The events must come within so many minutes.'),
    ignoreUserCount: count.optional().describe('Unresolved again after so many more users.'),
    ignoreUserWindow: minutes.optional().describe('The users must come within so many minutes.'),
    ignoreUntil: dateTime().optional(),
  })
  .meta({ id: 'StatusDetailsUpdate' });

export const changeFields = {
  status: z
    .enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'archived'])
    .optional()
    .describe('`ignored` and `archived` are the same.'),
  substatus: z
    .string()
    .max(40)
    .nullish()
    .describe('Of archived ones: archived_until_escalating, archived_until_condition_met, archived_forever.'),
  statusDetails: StatusDetails.optional().describe('In which release it is resolved, or until when it is archived.'),
  assignedTo: z
    .string()
    .max(200)
    .nullish()
    .describe('`user:ID`, `team:ID`, an e-mail address, `#team` or `me`; empty or null for nobody.'),
  priority: priority.nullish().describe('null: as the level says.'),
  isBookmarked: z.boolean().optional().describe('One’s own bookmark.'),
  isSubscribed: z.boolean().optional().describe('Whether one wants to be told what happens to it.'),
  hasSeen: z.boolean().optional().describe('That one has opened it.'),
  isPublic: z.boolean().optional().describe('Whether there is a secret link under which anybody may read it.'),
  discard: z
    .literal(true)
    .optional()
    .describe('Delete it and drop all further events of it. Only alone, by who may administer issues.'),
};

export const IssueChange = z.object(changeFields).meta({ id: 'IssueChange' });

export const Undo = z
  .object({ id: z.string() })
  .nullable()
  .describe(
    'Takes back what was just done: POST /organizations/{org}/issues/bulk/{id}/undo/. Null where nothing changed.',
  );
