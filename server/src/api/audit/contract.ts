/** The audit log of an organisation. */
import { z } from 'zod';
import { type Action, actions } from '../../domains/audit/index.ts';
import { signatureForm, signingSecret } from '../../base/outbound/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, rangeQuery, repeatable, webAddress } from '../shared/schemas.ts';

const tag = 'Audit log';

const actionNames = Object.keys(actions) as [Action, ...Action[]];

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Values = z.union([Value, z.array(Value)]);

export const AuditEntry = z
  .object({
    organization: z.string().describe('ID of the organisation.'),
    seq: z.int().describe('Number of the entry: from 1, without gaps.'),
    at: dateTime(),
    action: z.enum(actionNames).describe('What was done, as noun.verb.'),
    actor: z
      .object({
        type: z.enum(['user', 'token', 'host', 'visitor', 'system']),
        id: z.string().optional().describe('ID of the user.'),
        name: z.string().optional(),
        email: z.string().optional(),
        session: z.string().optional().describe('ID of the session; it opens nothing.'),
        token: z.object({ id: z.int(), name: z.string() }).optional(),
      })
      .describe('Who did it: a user, an API token, a command on the host, an unknown visitor, or Culprit itself.'),
    target: z.object({
      type: z.string(),
      id: z.string().optional(),
      name: z.string().optional(),
      project: z.string().optional().describe('Slug of the project.'),
    }),
    source: z.object({ address: z.string().optional(), agent: z.string().optional() }),
    changes: z
      .array(
        z.object({
          field: z.string(),
          before: Values.optional().describe('Not there for secrets and long texts.'),
          after: Values.optional(),
        }),
      )
      .optional(),
    details: z.record(z.string(), Values).optional(),
    hash: z
      .string()
      .describe('SHA-256 of the hash of the previous entry, a line break and the entry without its hash.'),
  })
  .meta({ id: 'AuditEntry' });

const filters = {
  action: repeatable(`Actions, such as team.create; team: all actions of teams. Known: ${actionNames.join(', ')}.`),
  actor: z.string().max(200).optional().describe('user:ID, host, visitor or system.'),
  target: z.string().max(400).optional().describe('A type of target, or type:ID.'),
  address: z.string().max(200).optional().describe('Exact client address.'),
  ...rangeQuery,
};

export const listEntries = endpoint({
  method: 'GET',
  url: '/organizations/:org/audit-log/',
  id: 'listAuditEntries',
  tag,
  summary: 'List entries of the audit log, newest first',
  access: 'org:audit',
  params: orgParams,
  query: z.object({ ...filters, ...pageQuery }),
  response: z.array(AuditEntry),
});

export const exportEntries = endpoint({
  method: 'GET',
  url: '/organizations/:org/audit-log/export/',
  id: 'exportAuditEntries',
  tag,
  summary: 'Export entries of the audit log, oldest first',
  description: 'As JSON Lines (`format=jsonl`) or CSV (`format=csv`).',
  access: 'org:audit',
  params: orgParams,
  query: z.object({ ...filters, format: z.enum(['jsonl', 'csv']).default('jsonl') }),
  response: z.string(),
  produces: 'application/x-ndjson',
});

const Stream = z
  .object({
    url: z.string().describe('Without its query, which may contain a secret.'),
    enabled: z.boolean(),
    sent: z.int().describe('Number of the last delivered entry.'),
    lastSent: dateTime().nullable(),
    failingSince: dateTime().nullable(),
    problem: z.string().describe('Why the last attempt failed; empty if it succeeded.'),
  })
  .meta({ id: 'AuditStream' });

export const AuditLog = z
  .object({
    entries: z.int().describe('Number of stored entries.'),
    first: z.int().describe('Number of the first stored entry.'),
    last: z.int(),
    hash: z.string().describe('Hash of the last entry.'),
    retentionDays: z.int().describe('Days to keep entries.'),
    stream: Stream.nullable().describe('The webhook that receives new entries; null if there is none.'),
    actors: z
      .array(z.object({ key: z.string(), name: z.string().nullable() }))
      .describe('Actors in the log, most recent first, at most 200. The key is a value of the filter actor.'),
    actions: z.array(z.enum(actionNames)).describe('Known actions.'),
    canChange: z.boolean().describe('Whether the caller can change settings of the log.'),
  })
  .meta({ id: 'AuditLog' });

export const getLog = endpoint({
  method: 'GET',
  url: '/organizations/:org/audit-log/settings/',
  id: 'getAuditLog',
  tag,
  summary: 'Get the settings of the audit log',
  access: 'org:audit',
  params: orgParams,
  response: AuditLog,
});

const AuditLogUpdate = z
  .object({
    retentionDays: z.int().min(30).max(3650).optional().describe('Days to keep entries.'),
    stream: z
      .object({
        url: webAddress.optional().describe('Required for a new webhook; unset: unchanged.'),
        secret: z
          .string()
          .trim()
          .regex(signingSecret, signatureForm)
          .optional()
          .describe('Signs deliveries as in Standard Webhooks. Required for a new webhook; unset: unchanged.'),
        enabled: z.boolean().optional(),
      })
      .nullish()
      .describe('Receives each new entry in order, at least once; null: none.'),
  })
  .meta({ id: 'AuditLogUpdate' });

export const updateLog = endpoint({
  method: 'PUT',
  url: '/organizations/:org/audit-log/settings/',
  id: 'updateAuditLog',
  tag,
  summary: 'Change the settings of the audit log',
  access: 'org:admin',
  params: orgParams,
  body: AuditLogUpdate,
  response: AuditLog,
});
