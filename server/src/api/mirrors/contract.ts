/** The mirror of a project: forwards what comes to another server. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, projectParams } from '../shared/schemas.ts';

const tag = 'Mirror';

const Mirror = z
  .object({
    target: z
      .string()
      .nullable()
      .describe('DSN of the target without most of its key; null if the DSN was sealed with a lost key.'),
    enabled: z.boolean(),
    dateCreated: dateTime(),
    forwarded: z.int().describe('Requests that the target accepted.'),
    lastForwarded: dateTime().nullable(),
    refused: z.int().describe('Requests that the target refused, or that its rate limits excluded.'),
    lastRefused: dateTime().nullable(),
    refusal: z.string().describe('Answer to the last refused request; empty if none.'),
    dropped: z.int().describe('Requests that waited too long, or found no room.'),
    lastDropped: dateTime().nullable(),
    waiting: z.int().describe('Requests to forward.'),
    waitingBytes: z.int(),
    lagMs: z.int().nullable().describe('Age of the oldest waiting request; null if none waits or it is unknown.'),
    nextAttempt: dateTime().nullable().describe('Set while the target is unavailable or limits the rate.'),
    failingSince: dateTime().nullable(),
    problem: z.string().describe('Why the last attempt failed; empty if it succeeded.'),
  })
  .meta({ id: 'Mirror' });

const ProjectMirror = z
  .object({
    mirror: Mirror.nullable().describe('null: nothing is forwarded.'),
    maxBytes: z.int().describe('Bytes that can wait; further requests are dropped.'),
    maxHours: z.int().describe('Requests that wait longer are dropped.'),
  })
  .meta({ id: 'ProjectMirror' });

const url = '/projects/:org/:project/mirror/';

export const getMirror = endpoint({
  method: 'GET',
  url,
  id: 'getMirror',
  tag,
  summary: 'Get the mirror of a project and its state',
  access: 'project:read',
  params: projectParams,
  response: ProjectMirror,
});

export const setMirror = endpoint({
  method: 'PUT',
  url,
  id: 'setMirror',
  tag,
  summary: 'Forward what a project receives to another DSN, or pause that',
  description: 'Envelopes, security reports and OTLP requests are forwarded as they came. Loops are refused.',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      dsn: z
        .string()
        .max(2048)
        .optional()
        .describe('DSN of the target. Required for a new mirror; unset: unchanged. It is never returned.'),
      enabled: z.boolean().optional().describe('false: paused. What waits stays for a day.'),
    })
    .meta({ id: 'MirrorUpdate' }),
  response: ProjectMirror,
});

export const deleteMirror = endpoint({
  method: 'DELETE',
  url,
  id: 'deleteMirror',
  tag,
  summary: 'Stop forwarding; what waits is dropped',
  access: 'project:admin',
  params: projectParams,
  status: 204,
});

export const testMirror = endpoint({
  method: 'POST',
  url: `${url}test/`,
  id: 'testMirror',
  tag,
  summary: 'Send a test event to the target',
  access: 'project:write',
  params: projectParams,
  response: z
    .object({
      eventId: z.string(),
      accepted: z.boolean(),
      answer: z.string().describe('Answer of the target, or why there was none.'),
    })
    .meta({ id: 'MirrorTest' }),
});

const Issue = z.object({ id: z.string(), shortId: z.string(), title: z.string(), url: z.string() });
const Counted = z.array(Issue.extend({ events: z.int().describe('Compared events.') }));
const Missing = z.array(z.object({ eventId: z.string(), issue: Issue }));

export const compareMirror = endpoint({
  method: 'POST',
  url: `${url}compare/`,
  id: 'compareMirror',
  tag,
  summary: 'Compare how another server groups the same events',
  description:
    'Reads the newest events of the newest issues of both sides, there by the API of Bugsink or of Sentry. Nothing is stored, the token included.',
  access: 'project:write',
  params: projectParams,
  body: z
    .object({
      token: z.string().min(1).max(1_000).describe('API token of the other server.'),
      url: z.string().max(2048).optional().describe('Address of its API; default: the host of the mirror.'),
      organization: z.string().max(200).optional().describe('Slug there; default: the one with the project.'),
      project: z.string().max(200).optional().describe('Slug or ID there; default: that of the mirror.'),
      since: dateTime().optional().describe('Default: the start of the mirror, at most 14 days ago.'),
      events: z.int().min(1).max(50).default(20).describe('Events of each issue.'),
      issues: z.int().min(1).max(100).default(50),
      lookups: z.int().min(1).max(200).default(50).describe('Events to look up one by one on the other server.'),
    })
    .meta({ id: 'MirrorComparisonRequest' }),
  response: z
    .object({
      since: dateTime(),
      until: dateTime(),
      events: z.int().describe('Events on both sides.'),
      groups: z
        .array(
          z.object({
            kind: z
              .enum(['same', 'split', 'merged', 'mixed'])
              .describe('split: one here, several there. merged: several here, one there.'),
            ours: Counted,
            theirs: Counted,
            events: z.int(),
          }),
        )
        .describe('Issues that share events, different ones first.'),
      missingHere: Missing,
      missingThere: Missing,
      unknown: z.int().describe('Events that were not looked up on the other server.'),
    })
    .meta({ id: 'MirrorComparison' }),
});
