/** What anybody may read of an issue who has its secret link: no people, no requests, no addresses. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Entry } from '../events/contract.ts';
import { CountInterval, dateTime } from '../shared/schemas.ts';

const SharedIssue = z
  .object({
    shareId: z.string(),
    shortId: z.string(),
    title: z.string(),
    culprit: z.string(),
    level: z.string(),
    status: z.string(),
    type: z.string(),
    platform: z.string(),
    isUnhandled: z.boolean(),
    count: z.string(),
    estimated: CountInterval,
    userCount: z.int(),
    firstSeen: dateTime(),
    lastSeen: dateTime(),
    project: z.object({ slug: z.string(), name: z.string(), platform: z.string().nullable() }),
    latestEvent: z
      .object({
        eventID: z.string(),
        dateCreated: dateTime(),
        platform: z.string().nullable(),
        environment: z.string().nullable(),
        release: z.string().nullable(),
        entries: z
          .array(Entry)
          .describe('The error and its position: exceptions, stack traces, the message. No variable values.'),
      })
      .nullable(),
  })
  .meta({ id: 'SharedIssue' });

export const getSharedIssue = endpoint({
  method: 'GET',
  url: '/shared/issues/:shareId/',
  id: 'getSharedIssue',
  tag: 'Issues',
  summary: 'Get an issue by its public link',
  access: 'public',
  params: z.object({ shareId: z.string().max(100) }),
  response: SharedIssue,
});

export const getOrganizationSharedIssue = endpoint({
  method: 'GET',
  url: '/organizations/:org/shared/issues/:shareId/',
  id: 'getOrganizationSharedIssue',
  tag: 'Issues',
  summary: 'Get an issue by its public link',
  access: 'public',
  params: z.object({ org: z.string().max(100), shareId: z.string().max(100) }),
  response: SharedIssue,
});
