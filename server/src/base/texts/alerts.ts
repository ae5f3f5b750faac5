/** What alert rules, their previews and their messages say. */
import { estimated, type Interval, listed, number, percentage, plural } from './intl.ts';

/** `5 minutes`, `an hour`, `90 minutes`, `a day`. */
export function duration(minutes: number): string {
  for (const [size, name] of [
    [1_440, 'day'],
    [60, 'hour'],
  ] as const) {
    if (minutes === size) return name === 'hour' ? 'an hour' : `a ${name}`;
    if (minutes > size && minutes % size === 0) return plural(minutes / size, name);
  }
  return minutes === 1 ? 'a minute' : plural(minutes, 'minute');
}

export const conditions = {
  new_issue: 'a new issue appears',
  regression: 'a resolved issue regresses',
  escalating: 'an issue escalates',
  unarchived: 'an archived issue returns',
  events: (count: number, minutes: number) => `an issue has at least ${plural(count, 'event')} in ${duration(minutes)}`,
  users: (count: number, minutes: number) =>
    `an issue affects at least ${plural(count, 'user')} in ${duration(minutes)}`,
  sessions: (share: number, minutes: number) =>
    `an issue has at least ${plural(share, 'event')} per 100 sessions in ${duration(minutes)}`,
  digest: (digest: string | null) => (digest === null ? 'a watched digest is seen' : `digest ${digest} is seen`),
} as const;

export const metrics = {
  what: (aggregate: string, dataset: string, minutes: number) => `${aggregate} of ${dataset} over ${duration(minutes)}`,
  unusual: (direction: 'above' | 'below' | 'both', sensitivity: string) =>
    `is unusually ${{ above: 'high', below: 'low', both: 'high or low' }[direction]} for its hour of the week (${sensitivity} sensitivity)`,
  level: (value: string, name: 'warning' | 'critical') => `${value} (${name})`,
  threshold: (direction: 'above' | 'below' | 'both', levels: readonly string[]) =>
    `is ${direction === 'below' ? 'at most' : 'at least'} ${listed(levels, 'or')}`,
  change: (direction: 'above' | 'below' | 'both', levels: readonly string[], against: string) =>
    `${{ above: 'rises by', below: 'falls by', both: 'changes by' }[direction]} at least ${listed(levels, 'or')} compared with ${against}`,
  against: (against: 'previous' | 'day' | 'week', minutes: number) =>
    against === 'previous'
      ? `the previous ${duration(minutes).replace(/^an? /, '')}`
      : `the same time a ${against} before`,
} as const;

export interface RuleSentence {
  readonly when: string;
  /** Slugs; empty: all. */
  readonly projects: readonly string[];
  readonly environment: string;
  readonly query: string;
  readonly channels: readonly string[];
  /** 0: each time. */
  readonly throttleMinutes: number;
}

/** The rule in one sentence. */
export function ruleSentence({ when, projects, environment, query, channels, throttleMinutes }: RuleSentence): string {
  const scope = [
    projects.length ? ` in ${listed(projects, 'or')}` : '',
    environment ? ` in ${environment}` : '',
    query ? ` and matches “${query}”` : '',
  ].join('');
  const then = channels.length ? `notify ${listed(channels, 'and')}` : 'record it without a notification';
  const often = throttleMinutes ? `, at most once every ${duration(throttleMinutes)} per issue` : '';
  return `When ${when}${scope}, ${then}${often}.`;
}

/** Why a rule fired. */
export const reasons = {
  new_issue: 'New issue',
  regression: 'Regressed',
  escalating: 'Escalating',
  unarchived: 'Returned from the archive',
  digest: (digest: string) => `Digest ${digest} was seen`,
  watchedDigest: (digest: string) => `Watched digest ${digest} was seen`,
  events: (value: number, minutes: number, interval?: Interval) =>
    `${estimated(value, interval, 'event')} in ${duration(minutes)}`,
  users: (value: number, minutes: number) => `${plural(value, 'user')} in ${duration(minutes)}`,
  sessions: (value: number, minutes: number, interval?: Interval) =>
    `${estimated(value, interval, 'event')} per 100 sessions in ${duration(minutes)}`,
  recovered: 'The metric is back to normal',
} as const;

export const measured = {
  noData: (minutes: number) => `No data in ${duration(minutes)}`,
  now: (aggregate: string, value: string, minutes: number) => `${aggregate} is ${value} over ${duration(minutes)}`,
  noPrevious: 'no earlier data to compare with',
  noWeeks: 'fewer than two earlier weeks to compare with',
  change: (percent: number, before: string, against: string) =>
    `${percentage(Math.abs(percent) / 100)} ${percent < 0 ? 'less' : 'more'} than ${before} in ${against}`,
  usual: (median: string, spread: string, windows: number, weeks: number) =>
    `usual at this hour of the week: ${median} ± ${spread} (${plural(windows, 'window')} of ${plural(weeks, 'week')})`,
  missing: 'no measurement',
} as const;

export const messages = {
  issue: (why: string, title: string) => `${why}: ${title}`,
  newIssues: (count: number) => plural(count, 'new issue'),
  issues: (count: number) => `${plural(count, 'issue')} to review`,
  more: (count: number) => `and ${number(count)} more`,
  severity: { critical: 'Critical', warning: 'Warning', info: 'Note', resolved: 'Resolved' },
  metric: (severity: string, rule: string) => `${severity}: ${rule}`,
  sentence: (why: string) => `${why}.`,
  threshold: 'Threshold',
  environment: 'Environment',
  filter: 'Filter',
} as const;

export const previews = {
  tooLong: 'The preview took too long. Select fewer projects',
  failed: "The preview failed. The server's log has the reason",
  noted: 'A preview of an alert rule failed',
  never: 'It would not have fired in the last 7 days.',
  fired: (count: number, sent: number) =>
    `It would have fired ${plural(count, 'time')} in the last 7 days${inMessages(count, sent)}.`,
  tooMany: (count: number, sent: number, raised: { readonly threshold: number; readonly count: number } | undefined) =>
    `Too many: it would have fired ${plural(count, 'time')} in the last 7 days${inMessages(count, sent)}. ${
      raised
        ? `With a threshold of ${number(raised.threshold)}, it would have fired ${plural(raised.count, 'time')}.`
        : 'Narrow it with a filter.'
    }`,
} as const;

const inMessages = (count: number, sent: number): string =>
  sent && sent < count ? `, with ${plural(sent, 'message')}` : '';

/** Rules to start with: title and what each is good for. */
export const suggestions = {
  newOrRegressed: ['New or regressed issues', 'New issues, and resolved ones that return.'],
  escalating: ['Escalating issues', 'Archived or ongoing issues that become more frequent.'],
  manyUsers: ['Many affected users', 'An issue that affects 50 users within an hour.'],
  watchedDigest: ['Watched digest', 'The first event of a digest that someone watches.'],
  unusualErrors: [
    'Unusual number of errors',
    'Compared with the same hours of earlier weeks, so a busy Monday is normal.',
  ],
  slowRequests: ['Slow requests', 'One in twenty requests takes longer than two seconds.'],
  crashes: ['Crashing sessions', 'Fewer than 99% of sessions are crash-free.'],
  ofProject: (project: string) => `New or regressed issues in ${project}`,
} as const;

export const permissions = {
  changers: (creator: string | undefined) =>
    creator === undefined ? 'a manager, admin or owner' : `${creator}, a manager, an admin or an owner`,
} as const;

/** What is wrong with a rule that somebody saves, after the name of its field. */
export const inputs = {
  project: (id: number) => `projectIds: project ${id} not found`,
  noProject: 'projectIds: no team of yours has a project',
  channel: (id: number) => `channelIds: channel ${id} not found`,
  owner: (owner: string) => `owner: ${owner} is not a member or team`,
  sessionAggregate: (names: readonly string[]) => `metric.aggregate: for sessions use ${names.join(', ')}`,
  sessionQuery: 'query: sessions can be filtered by environment only',
  noThreshold: 'metric.critical: warning or critical is required',
  bothDirections: 'metric.direction: both requires a change or an anomaly',
  criticalOrder: (isBelow: boolean) =>
    `metric.critical: must be ${isBelow ? 'at most' : 'at least'} the warning threshold`,
  resolveOrder: (isBelow: boolean) => `metric.resolve: must be ${isBelow ? 'above' : 'below'} the other thresholds`,
} as const;
