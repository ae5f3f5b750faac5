/** Finding, exporting and erasing what is stored of a person or an event; projects on hold. */
import { z } from 'zod';
import { identifierKinds, maxIdentifiers } from '../../domains/erase/index.ts';
import { invalid } from '../../base/texts/validation.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams } from '../shared/schemas.ts';

const tag = 'Erasure';

const Counts = z.array(
  z.object({
    kind: z.string().describe('Kind of data: events, spans, logs, items, files, feedback, texts, …'),
    own: z.int().describe('Rows in which the person is the user.'),
    mentioned: z.int().describe('Rows that only name the person in a text.'),
  }),
);

const Certificate = z
  .object({
    id: z.string(),
    reference: z.string(),
    dateRequested: dateTime(),
    dateConfirmed: dateTime(),
    dateFinished: dateTime(),
    salt: z.string(),
    values: z
      .array(z.object({ kind: z.enum([...identifierKinds, 'event']), sha256: z.string() }))
      .describe('SHA-256 of salt, kind and value, each followed by a line break but the last.'),
    projects: z.array(z.string()),
    mentions: z.boolean().describe('Rows that only name the person were erased, too.'),
    found: Counts,
    removed: z.array(z.object({ kind: z.string(), count: z.int() })),
    left: z
      .object({
        deliveries: z.array(z.object({ kind: z.string(), channel: z.string(), count: z.int(), dateLast: dateTime() })),
        mirrors: z.array(
          z.object({
            project: z.string(),
            dateSince: dateTime(),
            forwarded: z.int().describe('Requests of all users.'),
          }),
        ),
        auditStream: z.boolean(),
      })
      .describe('What was sent to others before.'),
    remains: z.array(z.string()).describe('What stays, and why.'),
    foundAfter: z.int().describe('Rows that the final search found; 0.'),
  })
  .meta({ id: 'ErasureCertificate' });

const Erasure = z
  .object({
    id: z.string(),
    reference: z.string(),
    status: z
      .enum(['finding', 'found', 'exporting', 'removing', 'done', 'failed', 'cancelled', 'expired'])
      .describe('What was found waits an hour for a confirmation, then expires.'),
    step: z.string().describe('What is being done; empty while nothing is.'),
    progress: z.number().nullable().describe('Of the step, from 0 to 1; null if it is not known.'),
    found: Counts.nullable(),
    fileBytes: z.int().describe('Bytes of the export; 0: there is none.'),
    detail: z.string().describe('What failed, as text; empty if nothing did.'),
    dateCreated: dateTime(),
    dateConfirmed: dateTime().nullable(),
    dateFinished: dateTime().nullable(),
    hasCertificate: z.boolean(),
  })
  .meta({ id: 'Erasure' });

const url = '/organizations/:org/erasures/';
const params = orgParams.extend({ erasure: z.string().regex(/^\d{1,15}$/, invalid.number) });
/** Owners alone: what is erased does not come back. */
const access = 'org:admin';

export const startErasure = endpoint({
  method: 'POST',
  url,
  id: 'startErasure',
  tag,
  summary: 'Search for what is stored of a person or an event',
  description:
    'Values are compared as a whole, never in part. Nothing is changed until the result is confirmed. The values are kept encrypted until the request is over.',
  access,
  status: 201,
  params: orgParams,
  body: z
    .object({
      person: z
        .array(z.object({ kind: z.enum(identifierKinds), value: z.string().max(1_000) }))
        .max(maxIdentifiers)
        .optional()
        .describe('All that the person is known by: user IDs, email addresses, user names, IP addresses.'),
      event: z.object({ project: z.string().describe('Slug.'), id: z.string().describe('32 hex digits.') }).optional(),
      project: z.array(z.string()).max(200).optional().describe('Slugs; default: all projects.'),
      mentions: z
        .boolean()
        .default(true)
        .describe('Also rows of others that name the person in a text. IDs and names need 8 characters for that.'),
      reference: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .describe('Your name for the request, such as a ticket number. It stays on the certificate.'),
    })
    .meta({ id: 'ErasureRequest' }),
  response: Erasure,
});

export const listErasures = endpoint({
  method: 'GET',
  url,
  id: 'listErasures',
  tag,
  summary: 'List requests, newest first',
  access,
  params: orgParams,
  response: z.array(Erasure),
});

export const getErasure = endpoint({
  method: 'GET',
  url: `${url}:erasure/`,
  id: 'getErasure',
  tag,
  summary: 'Get the progress and result of a request',
  access,
  params,
  response: Erasure,
});

export const exportErasure = endpoint({
  method: 'POST',
  url: `${url}:erasure/export/`,
  id: 'exportErasure',
  tag,
  summary: 'Export what was found',
  description: 'As JSON Lines. The file is deleted when the request is over.',
  access,
  status: 202,
  params,
  response: Erasure,
});

export const getErasureFile = endpoint({
  method: 'GET',
  url: `${url}:erasure/file/`,
  id: 'getErasureFile',
  tag,
  summary: 'Download the export',
  access,
  params,
  produces: 'application/x-ndjson',
});

export const confirmErasure = endpoint({
  method: 'POST',
  url: `${url}:erasure/erase/`,
  id: 'confirmErasure',
  tag,
  summary: 'Erase what was found, for good',
  access,
  status: 202,
  params,
  body: z
    .object({ confirm: z.string().max(1_000).describe('One of the values of the request, exactly.') })
    .meta({ id: 'ErasureConfirmation' }),
  response: Erasure,
});

export const cancelErasure = endpoint({
  method: 'DELETE',
  url: `${url}:erasure/`,
  id: 'cancelErasure',
  tag,
  summary: 'Cancel a request that has not started to erase',
  access,
  status: 204,
  params,
});

export const getCertificate = endpoint({
  method: 'GET',
  url: `${url}:erasure/certificate/`,
  id: 'getErasureCertificate',
  tag,
  summary: 'Get the certificate of an erasure',
  access,
  params,
  response: Certificate,
});

const Hold = z
  .object({ hold: z.object({ reason: z.string(), dateCreated: dateTime() }).nullable().describe('null: none.') })
  .meta({ id: 'ProjectHold' });

export const listHolds = endpoint({
  method: 'GET',
  url: '/organizations/:org/holds/',
  id: 'listProjectHolds',
  tag,
  summary: 'List projects on hold that you can see',
  access: 'project:read',
  params: orgParams,
  response: z.array(
    z.object({ project: z.string().describe('Slug.'), reason: z.string(), dateCreated: dateTime() }).meta({
      id: 'HeldProject',
    }),
  ),
});

const holdUrl = '/projects/:org/:project/hold/';

export const getHold = endpoint({
  method: 'GET',
  url: holdUrl,
  id: 'getProjectHold',
  tag,
  summary: 'Get the hold of a project',
  access: 'project:read',
  params: projectParams,
  response: Hold,
});

export const setHold = endpoint({
  method: 'PUT',
  url: holdUrl,
  id: 'setProjectHold',
  tag,
  summary: 'Hold a project: nothing of it is deleted and nothing ages out',
  access: 'project:admin',
  params: projectParams,
  body: z.object({ reason: z.string().trim().min(3).max(500) }).meta({ id: 'ProjectHoldUpdate' }),
  response: Hold,
});

export const deleteHold = endpoint({
  method: 'DELETE',
  url: holdUrl,
  id: 'deleteProjectHold',
  tag,
  summary: 'Release a project from its hold',
  access: 'project:admin',
  params: projectParams,
  status: 204,
});
