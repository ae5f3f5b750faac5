/** How long each class of data is kept, and up to which size. Of the whole installation. */
import { z } from 'zod';
import { retentionClasses } from '../../base/retention.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams } from '../shared/schemas.ts';

const tag = 'Retention';
const url = '/organizations/:org/retention/';

const name = z
  .enum(retentionClasses)
  .describe('errors with counts of issues, spans with their aggregates, logs, sessions, attachments and stored items.');
const days = z.int().min(1).max(3650).nullable().describe('null: CULPRIT_RETENTION_DAYS.');
const limitBytes = z
  .int()
  .min(2 ** 20)
  .max(Number.MAX_SAFE_INTEGER)
  .nullable()
  .describe('Bytes on disk of all organisations together; null: no limit. Above, the oldest whole weeks are deleted.');
const overBytes = z
  .int()
  .describe('Bytes above the limit that stay: the current week (of attachments, the current day) is never deleted.');

const RetentionClass = z
  .object({
    name,
    days,
    keptDays: z.int().describe('In effect.'),
    limitBytes,
    storedBytes: z.int().nullable().describe('On disk when it was measured; null before.'),
    storedRows: z.int().nullable(),
    overBytes,
  })
  .meta({ id: 'RetentionClass' });

const Retention = z
  .object({
    defaultDays: z.int().describe('CULPRIT_RETENTION_DAYS.'),
    mayChange: z.boolean().describe('Whether the caller set up the installation.'),
    measuredAt: dateTime().nullable().describe('Sizes are measured each hour.'),
    classes: z.array(RetentionClass),
    drops: z
      .array(
        z.object({
          name,
          reason: z.enum(['size', 'disk']).describe('disk: the disk was nearly full.'),
          before: dateTime('Everything older was deleted.'),
          bytes: z.int(),
          rows: z.int(),
          date: dateTime(),
          done: z.boolean(),
        }),
      )
      .describe('What was deleted because of its size, newest first.'),
  })
  .meta({ id: 'Retention' });

const body = z
  .object({
    classes: z
      .array(z.object({ name, days: days.optional(), limitBytes: limitBytes.optional() }))
      .max(retentionClasses.length)
      .describe('Omitted classes and fields stay.'),
  })
  .meta({ id: 'RetentionUpdate' });

export const getRetention = endpoint({
  method: 'GET',
  url,
  id: 'getRetention',
  tag,
  summary: 'Get how long each class of data is kept, and what is stored of it',
  access: 'org:read',
  params: orgParams,
  response: Retention,
});

export const previewRetention = endpoint({
  method: 'POST',
  url: `${url}preview/`,
  id: 'previewRetention',
  tag,
  summary: 'Show what a change of the retention would delete',
  description: 'From the last measurement; nothing is read or changed.',
  access: 'org:read',
  params: orgParams,
  body,
  response: z
    .object({
      measuredAt: dateTime().nullable(),
      classes: z.array(
        z.object({
          name,
          freedBytes: z.int(),
          freedRows: z.int(),
          before: dateTime().nullable().describe('Everything older is deleted; null if nothing is.'),
          overBytes,
        }),
      ),
    })
    .meta({ id: 'RetentionPreview' }),
});

export const updateRetention = endpoint({
  method: 'PUT',
  url,
  id: 'updateRetention',
  tag,
  summary: 'Set how long each class of data is kept',
  description:
    'Only the person who set up the installation can change it. It applies to all organisations; data is deleted in the background.',
  access: 'org:admin',
  params: orgParams,
  body,
  response: Retention,
});
