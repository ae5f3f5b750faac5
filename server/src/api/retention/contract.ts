/** How long each class of data is kept, and up to which size. Of the whole installation. */
import { z } from 'zod';
import { mostPolicies, retentionClasses } from '../../base/retention.ts';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams } from '../shared/schemas.ts';

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

const policyName = z.string().trim().min(1).max(40);
const RetentionPolicy = z.object({ name: policyName, days: z.int().min(1).max(3650) }).meta({ id: 'RetentionPolicy' });

const RetentionClass = z
  .object({
    name,
    days,
    keptDays: z.int().describe('In effect, for projects without a policy.'),
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
    policies: z
      .array(RetentionPolicy.extend({ projects: z.int().describe('How many projects use it.') }))
      .describe('Ages that a project can have for a class instead of that of the class.'),
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
      .optional()
      .describe('Omitted classes and fields stay.'),
    policies: z
      .array(RetentionPolicy)
      .max(mostPolicies)
      .optional()
      .describe('All policies, by name. Policies that are missing are deleted, unless a project uses them.'),
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
  description:
    'Whole weeks from the last measurement. Rows of projects that keep less than others are counted; their bytes are an estimate.',
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
          before: dateTime().nullable().describe('Everything older is deleted; null if no whole weeks are.'),
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

const projectUrl = '/projects/:org/:project/retention/';

const ProjectRetention = z
  .object({
    classes: z.array(
      z.object({
        name,
        policy: z.string().nullable().describe('null: as the class is kept.'),
        keptDays: z.int().describe('In effect.'),
      }),
    ),
    policies: z.array(RetentionPolicy).describe('Those to choose from.'),
    held: z.boolean().describe('On hold: nothing is deleted until it is released.'),
  })
  .meta({ id: 'ProjectRetention' });

const projectBody = z
  .object({
    classes: z
      .array(z.object({ name, policy: policyName.nullable() }))
      .max(retentionClasses.length)
      .describe('Omitted classes stay.'),
  })
  .meta({ id: 'ProjectRetentionUpdate' });

export const getProjectRetention = endpoint({
  method: 'GET',
  url: projectUrl,
  id: 'getProjectRetention',
  tag,
  summary: 'Get how long data of a project is kept',
  access: 'project:read',
  params: projectParams,
  response: ProjectRetention,
});

export const previewProjectRetention = endpoint({
  method: 'POST',
  url: `${projectUrl}preview/`,
  id: 'previewProjectRetention',
  tag,
  summary: 'Show what other retention policies would delete of a project',
  description: 'Rows are counted, bytes are an estimate by the mean size of a row.',
  access: 'project:read',
  params: projectParams,
  body: projectBody,
  response: z
    .object({
      classes: z.array(
        z.object({ name, keptDays: z.int(), freedRows: z.int(), freedBytes: z.int().describe('About.') }),
      ),
    })
    .meta({ id: 'ProjectRetentionPreview' }),
});

export const updateProjectRetention = endpoint({
  method: 'PUT',
  url: projectUrl,
  id: 'updateProjectRetention',
  tag,
  summary: 'Choose retention policies for a project',
  description: 'What is older than the new age is deleted in the background, in whole weeks.',
  access: 'project:admin',
  params: projectParams,
  body: projectBody,
  response: ProjectRetention,
});
