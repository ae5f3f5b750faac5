/** The installation as a whole: first set-up, who am I, health. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { Organization } from '../organizations/contract.ts';
import { Project } from '../projects/contract.ts';
import { dateTime } from '../shared/schemas.ts';

const SetupState = z
  .object({ needed: z.boolean().describe('True until the first account exists.'), version: z.string() })
  .meta({ id: 'SetupState' });

export const getSetup = endpoint({
  method: 'GET',
  url: '/setup/',
  id: 'getSetup',
  tag: 'Installation',
  summary: 'Whether the installation still has to be set up',
  access: 'public',
  response: SetupState,
});

const SetupRequest = z
  .object({
    email: z.email('must be an e-mail address').max(254),
    password: z.string().min(8, 'must have at least 8 characters').max(128),
    name: z.string().trim().max(100).optional().describe("The owner's name; the part before the @ when left out."),
    organization: z.string().trim().min(1, 'must not be empty').max(64),
    project: z.string().trim().min(1, 'must not be empty').max(64),
    platform: z.string().max(64).optional().describe('Such as javascript-nextjs; chooses the snippet.'),
    secret: z
      .string()
      .max(128)
      .optional()
      .describe('What stands after the # of the link that the server prints when it starts; 403 SETUP_SECRET without.'),
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
  summary: 'Make the owner, the organisation and the first project, and sign in',
  description: 'Sets the session cookie. Answers 409 SETUP_DONE once an account exists.',
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
        'Where the console reports its own failures; absent when self-reporting is off or nobody is set up yet.',
      ),
  })
  .meta({ id: 'Self' });

export const getSelf = endpoint({
  method: 'GET',
  url: '/',
  id: 'getSelf',
  tag: 'Installation',
  summary: 'Who the caller is and what they may do',
  description: '`user` and `auth` are null for a caller who is not signed in.',
  access: 'public',
  response: Self,
});

const Caller = z
  .object({
    id: z.string(),
    name: z.string(),
    username: z.string().describe('The email address again, as in Sentry.'),
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
  summary: 'Who the session or the token belongs to',
  description: 'An organisation token belongs to nobody and gets 401, as in Sentry.',
  access: 'user',
  response: Caller,
});

const Boot = z
  .object({
    self: Self,
    setUpNeeded: z.boolean().describe('True until the first account exists.'),
    organizations: z.array(Organization).describe('Those the caller may read.'),
    projects: z
      .array(Project)
      .nullable()
      .describe(
        'Of the organisation asked for, or else of the first; null if there are more than a hundred, or the caller may not read them.',
      ),
  })
  .meta({ id: 'Boot' });

export const getBoot = endpoint({
  method: 'GET',
  url: '/boot/',
  id: 'getBoot',
  tag: 'Installation',
  summary: 'Everything the console starts with: who the caller is, their organisations, the projects of one of them',
  description:
    'What the caller may not read is left out; without a sign-in there are no organisations and no projects.',
  access: 'public',
  query: z.object({
    org: z.string().max(100).optional().describe('Slug of the organisation whose projects are wanted.'),
  }),
  response: Boot,
});

const BackgroundJob = z
  .object({
    name: z.string(),
    title: z.string().describe('What it does.'),
    state: z
      .enum(['starting', 'waiting', 'running', 'elsewhere'])
      .describe('starting: until the events store is there; elsewhere: another node runs it.'),
    lastBegan: dateTime().nullable(),
    lastEnded: dateTime().nullable(),
    nextDue: dateTime().nullable(),
    waiting: z.int().nullable().describe('Rows that it has to work on; null where it does not work on rows.'),
    running: z.int().nullable().describe('Rows that are being worked on, on any node.'),
    attempts: z.int().describe('Runs in a row that failed.'),
    failure: z.string().describe("Why the last run that failed did, for those who run an organisation; '' for none."),
    dateFailed: dateTime().nullable(),
  })
  .meta({ id: 'BackgroundJob' });

export const Health = z
  .object({
    status: z.enum(['ok', 'degraded']),
    reasons: z.array(z.string()).describe('Why it is degraded, in words.'),
    notes: z
      .array(z.object({ weight: z.enum(['usual', 'fault']), sentence: z.string() }))
      .describe('What was rejected in the last hour although the service is well.'),
    internal: z
      .array(
        z.object({ project: z.string().describe('Slug.'), weight: z.enum(['fault', 'alarm']), sentence: z.string() }),
      )
      .describe('What went wrong with the reports of the installation about itself; that does not make it degraded.'),
    version: z.string(),
    now: dateTime(),
    log: z.object({
      records: z.int().describe('Requests accepted and not yet stored.'),
      bytes: z.int(),
      limitBytes: z.int(),
      lagMs: z
        .int()
        .nullable()
        .describe('Age of the oldest request that waits; 0 when none waits, null when not known.'),
    }),
    engine: z.object({ state: z.string(), ready: z.boolean(), restarts: z.int() }),
    disk: z
      .object({ usedBytes: z.int().describe('Of the data directory.'), freeBytes: z.int(), totalBytes: z.int() })
      .nullable()
      .describe('Null when no data lie on this machine.'),
    unknownItemTypes: z.array(z.object({ type: z.string(), count: z.int(), lastSeen: dateTime() })),
    jobs: z.array(BackgroundJob).describe('Background work, in the order in which people wait for it.'),
  })
  .meta({ id: 'Health' });

export const getHealth = endpoint({
  method: 'GET',
  url: '/health/',
  id: 'getHealth',
  tag: 'Installation',
  summary: 'Whether the service itself is well',
  access: 'user',
  response: Health,
});
