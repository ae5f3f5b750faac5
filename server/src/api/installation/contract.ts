/** The installation as a whole: first set-up, who am I, health. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Preferences } from '../account/contract.ts';
import { ClosedOrganization, Organization } from '../organizations/contract.ts';
import { Project } from '../projects/contract.ts';
import { dateTime } from '../shared/schemas.ts';
import { storeNames } from '../../domains/disk/index.ts';
import { stores, storeStates } from '../../domains/nodes/index.ts';
import { roleNames } from '../../base/roles.ts';
import { invalid } from '../../base/texts/validation.ts';

const SetupState = z
  .object({ needed: z.boolean().describe('True until the first account exists.'), version: z.string() })
  .meta({ id: 'SetupState' });

export const getSetup = endpoint({
  method: 'GET',
  url: '/setup/',
  id: 'getSetup',
  tag: 'Installation',
  summary: 'Check whether the installation needs setup',
  access: 'public',
  response: SetupState,
});

const SetupRequest = z
  .object({
    email: z.email(invalid.email).max(254),
    password: z.string().min(8, invalid.atLeast(8)).max(128),
    name: z.string().trim().max(100).optional().describe("The owner's name; default: the part before the @."),
    organization: z.string().trim().min(1, invalid.empty).max(64),
    project: z.string().trim().min(1, invalid.empty).max(64),
    platform: z.string().max(64).optional().describe('Such as javascript-nextjs; selects the snippet.'),
    secret: z
      .string()
      .max(128)
      .optional()
      .describe('The part after # of the link that the server prints; 403 SETUP_SECRET without it.'),
  })
  .meta({ id: 'SetupRequest' });

const SetupResult = z
  .object({
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }),
    organization: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    project: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    dsn: z.string(),
  })
  .meta({ id: 'SetupResult' });

export const postSetup = endpoint({
  method: 'POST',
  url: '/setup/',
  id: 'postSetup',
  tag: 'Installation',
  summary: 'Create the owner, the organisation and the first project, and sign in',
  description: 'Sets the session cookie. Returns 409 SETUP_DONE once an account exists.',
  access: 'public',
  signsIn: true,
  body: SetupRequest,
  status: 201,
  response: SetupResult,
});

const Self = z
  .object({
    version: z.literal('0').describe('Version of the API.'),
    serverVersion: z.string(),
    user: z.object({ id: z.string(), email: z.string(), name: z.string() }).nullable(),
    auth: z.object({ scopes: z.array(z.string()) }).nullable(),
    consoleDsn: z
      .string()
      .optional()
      .describe(
        'Where the console reports its own failures; absent when self-reporting is off or setup is incomplete.',
      ),
  })
  .meta({ id: 'Self' });

export const getSelf = endpoint({
  method: 'GET',
  url: '/',
  id: 'getSelf',
  tag: 'Installation',
  summary: 'Get the caller and their permissions',
  description: '`user` and `auth` are null if the caller is not signed in.',
  access: 'public',
  response: Self,
});

const Caller = z
  .object({
    id: z.string(),
    name: z.string(),
    username: z.string().describe('The email address, as in Sentry.'),
    email: z.string(),
    isActive: z.boolean(),
    dateJoined: dateTime(),
    emails: z.array(z.object({ id: z.string(), email: z.string(), is_verified: z.boolean() })),
  })
  .meta({ id: 'Caller' });

export const getCaller = endpoint({
  method: 'GET',
  url: '/auth/',
  id: 'getCaller',
  tag: 'Installation',
  summary: 'Get the user of the session or token',
  description: 'An organisation token has no user and gets 401, as in Sentry.',
  access: 'user',
  response: Caller,
});

const Boot = z
  .object({
    self: Self,
    setUpNeeded: z.boolean().describe('True until the first account exists.'),
    mayCreateOrganizations: z.boolean().describe('Whether the caller may create organisations.'),
    organizations: z.array(Organization).describe('Organisations that the caller may read.'),
    closedOrganizations: z
      .array(ClosedOrganization)
      .describe('Organisations of the caller that the session cannot enter as it is, and what they require.'),
    projects: z
      .array(Project)
      .nullable()
      .describe(
        'Of the requested organisation, else the first; null if there are more than a hundred, or without permission.',
      ),
    preferences: Preferences.nullable().describe('null without a session.'),
  })
  .meta({ id: 'Boot' });

export const getBoot = endpoint({
  method: 'GET',
  url: '/boot/',
  id: 'getBoot',
  tag: 'Installation',
  summary: 'Get everything the console starts with: caller, organisations and projects',
  description: 'Contains only data that the caller may read. Without a session, organisations and projects are empty.',
  access: 'public',
  query: z.object({
    org: z.string().max(100).optional().describe('Slug of the organisation for the projects.'),
  }),
  response: Boot,
});

const BackgroundJob = z
  .object({
    name: z.string(),
    title: z.string().describe('Title of the job.'),
    state: z
      .enum(['starting', 'waiting', 'running', 'elsewhere'])
      .describe('starting: waits for the events store. elsewhere: another node runs it.'),
    lastBegan: dateTime().nullable(),
    lastEnded: dateTime().nullable(),
    nextDue: dateTime().nullable(),
    waiting: z.int().nullable().describe('Rows to process; null if the job does not process rows.'),
    running: z.int().nullable().describe('Rows in progress on any node.'),
    attempts: z.int().describe('Consecutive failed runs.'),
    failure: z.string().describe("Reason of the last failure, for administrators; '' if none."),
    dateFailed: dateTime().nullable(),
  })
  .meta({ id: 'BackgroundJob' });

const Disk = z
  .object({
    usedBytes: z.int().nullable().describe('Size of the data directory; null until it was measured.'),
    freeBytes: z.int(),
    totalBytes: z.int(),
    measuredAt: dateTime().nullable(),
    stores: z
      .array(
        z.object({
          store: z.enum(storeNames),
          bytes: z.int(),
          waitingBytes: z.int().describe('Deleted, to be returned within the hour; approximate.'),
          isHere: z.boolean().describe('In the data directory; false for a database elsewhere.'),
          oldest: dateTime().nullable().describe('Oldest data; null if this store does not go by age.'),
          oldestLeaves: dateTime().nullable().describe('When the oldest data is past retention.'),
        }),
      )
      .describe('Largest first.'),
    projects: z
      .array(z.object({ project: z.string().describe('Slug.'), bytes: z.int().describe('Approximate.') }))
      .describe('Largest first, at most ten of those that the caller can see.'),
    forecast: z.object({
      state: z
        .enum(['unknown', 'none', 'full'])
        .describe('unknown: measured for less than a day. none: not full within the horizon.'),
      horizonDays: z.int(),
      bytesPerDay: z.int().nullable().describe('Growth of what is used on the disk.'),
      full: dateTime().nullable(),
      earliest: dateTime().nullable(),
      latest: dateTime().nullable().describe('null if it may never be full.'),
    }),
  })
  .meta({ id: 'DiskUsage' });

const Node = z
  .object({
    id: z.string(),
    roles: z.array(z.enum(roleNames)),
    version: z.string(),
    address: z
      .string()
      .describe('Host and port that it listens on; the name of its machine if it listens on all addresses.'),
    started: dateTime(),
    lastSeen: dateTime(),
    state: z.enum(['running', 'gone']).describe('gone: silent for a minute.'),
    stores: z
      .array(
        z.object({
          store: z.enum(stores),
          state: z.enum(storeStates),
          since: dateTime().describe('When this node first saw this state.'),
        }),
      )
      .describe('Stores as this node sees them.'),
  })
  .meta({ id: 'Node' });

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    reasons: z.array(z.string()).describe('Why it is degraded, as text.'),
    notes: z
      .array(z.object({ weight: z.enum(['usual', 'fault']), sentence: z.string() }))
      .describe('Rejections in the last hour that do not affect the service.'),
    internal: z
      .array(
        z.object({ project: z.string().describe('Slug.'), weight: z.enum(['fault', 'alarm']), sentence: z.string() }),
      )
      .describe('Problems that the installation reported about itself; they do not make it degraded.'),
    version: z.string(),
    now: dateTime(),
    log: z.object({
      records: z.int().describe('Requests accepted but not stored yet.'),
      bytes: z.int(),
      limitBytes: z.int(),
      lagMs: z.int().nullable().describe('Age of the oldest waiting request; 0 if none waits, null if unknown.'),
    }),
    engine: z.object({ state: z.string(), ready: z.boolean(), restarts: z.int() }),
    nodes: z.array(Node).describe('Running nodes first.'),
    disk: Disk.nullable().describe('null if this machine stores no data.'),
    backup: z
      .object({
        lastTaken: dateTime().nullable().describe('Moment of the last backup that succeeded; null if there is none.'),
        durationMs: z.int(),
        sizeBytes: z.int().describe('Of the last backup, parts that it shares with others included.'),
        nextDue: dateTime().nullable().describe('null if no backups are scheduled.'),
        running: z.boolean(),
      })
      .nullable()
      .describe('Backups of this node; null if there are none and none are scheduled.'),
    unknownItemTypes: z.array(z.object({ type: z.string(), count: z.int(), lastSeen: dateTime() })),
    jobs: z.array(BackgroundJob).describe('Background jobs, most urgent first.'),
  })
  .meta({ id: 'Health' });

export const getHealth = endpoint({
  method: 'GET',
  url: '/health/',
  id: 'getHealth',
  tag: 'Installation',
  summary: 'Check whether the service is healthy',
  access: 'user',
  response: Health,
});
