/** What imports from other trackers say: in the report, in errors and on the command line. */
import { plural, number } from './intl.ts';

/** What an import brings, in the plural. */
export const kinds = {
  organization: 'organisations',
  team: 'teams',
  member: 'members',
  project: 'projects',
  key: 'keys',
  release: 'releases',
  rule: 'alert rules',
  search: 'saved searches',
  issue: 'issues',
  comment: 'comments',
  event: 'events',
} as const;

export const trackerNames = {
  sentry: 'Sentry',
  glitchtip: 'GlitchTip',
  bugsink: 'Bugsink',
  urgentry: 'Urgentry',
} as const;

/** Why an import ended, after "The import stopped: ". */
export const stops = {
  address: (url: string) => `--url: ${url} is not an address of a web server.`,
  time: 'not a time',
  token: 'the token is wrong, expired or revoked. Create a new one in the tracker',
  scope: (scope: string, path: string) => `the token may not read ${path}. It needs ${scope}`,
  notFound: (path: string, tracker: string) =>
    `${path} does not exist there. Check that --url is the address of ${tracker}`,
  html: (path: string) => `${path} answered with a web page. Check that --url is the address of the tracker itself`,
  redirect: (to: string) => `it redirects to ${to}. Use that address with --url`,
  status: (path: string, status: number) => `${path} answered with status ${status}`,
  limited: (path: string) =>
    `${path}: the tracker limits requests for more than 15 minutes. Continue later with --resume`,
  shape: (path: string, problem: string) => `${path} answered with something unexpected: ${problem}`,
  tooLarge: (path: string, bytes: number) => `the answer to ${path} exceeds ${number(bytes)} bytes`,
  noJson: (path: string) => `${path} did not answer with JSON`,
  unreachable: (path: string, reason: string) => `${path}: ${reason}`,
  private: (reason: string) => `${reason}. Or run it with --allow-private, if the tracker is in your own network`,
  organizationUnknown: (slug: string, all: string) =>
    `the tracker has no organisation ${slug}. It has ${all || 'none'}`,
  organizationNeeded: (all: string) =>
    all
      ? `the tracker has several organisations. Choose one with --from-org: ${all}`
      : 'the token sees no organisation there. Name one with --from-org',
  projectUnknown: (slugs: string) => `the tracker has no project ${slugs}`,
  noOwner: 'the organisation has no owner',
  organizationGone: 'the organisation was deleted',
  tokenGone: 'the key that sealed the token is gone. Start the import again',
} as const;

/** Parts of a thing that trackers have and may not give. */
export const fields = {
  assignee: 'assignee',
  commits: 'commits, deploys',
  statusTime: 'time of the status',
} as const;

/** Why something did not come. */
export const gaps = {
  noApi: (tracker: string) => `${tracker} has no API for this`,
  notThere: (tracker: string) => `this ${tracker} does not offer it`,
  scope: (scope: string) => `the token lacks ${scope}`,
  keyTaken: 'the key belongs to another project here',
  keyForm: 'the key is not 32 hexadecimal digits',
  idForm: 'the project ID is not a number',
  noAccount: 'no member has this address yet. Run the import again once they joined',
  teamUnknown: 'the team was not imported',
  tooOld: 'older than the retention of this installation',
  before: 'before --since',
  beyond: 'more than --events per issue',
  noEvents: 'no event of it can be imported',
  tooLarge: 'larger than an event can be',
  eventId: 'no event ID',
  gone: 'deleted there meanwhile',
  failing: (status: number) => `the tracker fails to return it (status ${status}). Run the import again later`,
  notStored: 'the event was rejected on its way. See Health, outcomes',
  apart: 'grouped differently here: its events are in several issues. --keep-groups merges them',
  together: 'grouped differently here: several issues became one',
  merged: 'merged, as it was there',
  conditions: 'the condition has no counterpart here',
  actions: 'actions are not imported. Choose channels for the rule',
  filters: 'filters are not imported',
  metric: 'metric rules are measured differently here. Create it again',
  counts: 'only the events that were imported are counted here',
  limit: 'there is no room for more',
  refused: (reason: string) => `refused here: ${reason}`,
  owners: 'owners come as admins',
} as const;

export const ruleName = (project: string): string => `${project}: imported`;

export const runs = {
  restarted: 'The server was stopped meanwhile.',
  failed: (digest: string) => `An error in Culprit. Its digest is ${digest}.`,
} as const;

export const report = {
  counts: (kind: keyof typeof kinds, made: number, known: number) =>
    `${kinds[kind].padEnd(15)} ${number(made).padStart(9)} new ${number(known).padStart(9)} already here`,
  planned: (kind: keyof typeof kinds, count: number) =>
    `${kinds[kind].padEnd(15)} ${number(count).padStart(9)} would come`,
  gapsTitle: 'What could not come:',
  gap: (kind: keyof typeof kinds, field: string, count: number, reason: string) =>
    `  ${kinds[kind]}${field && `, ${field}`}: ${count ? `${number(count)}, ` : ''}${reason}`,
  examples: (all: readonly string[]) => `      e.g. ${all.join(', ')}`,
  nothing: 'Everything could come.',
} as const;

export const command = {
  summary: 'Imports projects, issues and events from Sentry, GlitchTip, Bugsink or Urgentry.',
  url: 'address of the tracker',
  tokenStdin: 'read its API token from standard input',
  tokenFile: 'read its API token from a file',
  org: 'organisation that receives everything (default: the only one)',
  fromOrg: 'organisation of the tracker (default: the only one)',
  project: 'projects of the tracker by slug, separated by commas (default: all)',
  events: 'newest events per issue (default: 100, at most 1,000)',
  since: 'leave out what was last seen before: 30d or 2026-01-31',
  dryRun: 'say what would come, and change nothing',
  resume: 'continue the last import of this tracker where it stopped',
  keepGroups: 'merge issues here that are one issue there',
  private: 'allow an address in a private network',
  tracker: (all: readonly string[]) => `Expected ${all.map((one) => `"${one}"`).join(', ')}, "status" or "cancel".`,
  tokenNeeded: 'A token is required: --token-stdin or --token-file FILE.',
  tokenPrompt: 'API token, then Enter and Ctrl-D: ',
  tokenEmpty: 'The token is empty.',
  eventsInvalid: '--events is a number from 0 to 1,000.',
  sinceInvalid: '--since is a number of days such as 30d, or a day such as 2026-01-31.',
  noServer: (dataDir: string) => `running server for ${dataDir}`,
  key: 'key',
  noKey: 'The key of the server is not available here. Run the import as the user that runs the server.',
  noRun: 'import',
  nothingToResume: 'import of this tracker that stopped',
  cancelled: (id: number) => `Import ${id} was cancelled. Imported data stays.`,
  started: (id: number) =>
    `Import ${id} runs in the server. Ctrl-C ends this view only: "culprit import status" shows it again.`,
  finished: (id: number, seconds: number) => `Import ${id} finished after ${number(Math.round(seconds))} s.`,
  dryFinished: 'Nothing was changed.',
  state: (id: number, state: string) => `Import ${id}: ${state}`,
  progress: (what: {
    readonly project: string;
    readonly issues: number;
    readonly issuesTotal: number;
    readonly events: number;
    readonly perSecond: number;
    readonly remainingSeconds: number | undefined;
  }) =>
    [
      `${what.project || '…'}: ${number(what.issues)} of ${plural(what.issuesTotal, 'issue')}`,
      plural(what.events, 'event'),
      `${number(Math.round(what.perSecond))}/s`,
      ...(what.remainingSeconds === undefined ? [] : [`about ${number(Math.ceil(what.remainingSeconds))} s left`]),
    ].join(' · '),
  waiting: {
    asked: (seconds: number) => `The tracker asks to wait for ${number(Math.ceil(seconds))} s.`,
    away: (seconds: number) => `The tracker does not respond. Next attempt in ${number(Math.ceil(seconds))} s.`,
    log: () => 'The log of Culprit is full. The import continues once it has room: see Health.',
  },
} as const;
