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
