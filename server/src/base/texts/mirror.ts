/** What is said of mirrors: in the project settings, on Health and by the command line. */
import { plural, withUnit } from './intl.ts';

export const mirrors = {
  notDsn: 'must be a DSN such as https://key@sentry.example/1',
  badKey: 'has a key that no server gives out',
  badProject: 'has a project ID that no server gives out',
  own: 'leads to this installation. A mirror must lead to another one',
  internal: 'The project of the installation itself cannot have a mirror.',
  otherKey: 'the DSN was sealed with another key; enter it again',
  answered: (status: number, answer: string) => (answer ? `${status}: ${answer}` : String(status)),
  redirected: (status: number, where: string) => `${status}: redirects to ${where || 'nowhere'}`,
  limited: (categories: readonly string[]) => `rate limit for ${categories.join(', ')}`,
  test: (project: string) => `Test of the mirror of ${project}`,
  failing: (project: string, host: string, ms: number) =>
    `The mirror of ${project} to ${host} has been failing for ${span(ms)}.`,
  dropping: (project: string, host: string) =>
    `The mirror of ${project} to ${host} dropped requests in the last hour. Its target is down or too slow.`,
} as const;

const span = (ms: number): string =>
  ms < 7_200_000 ? withUnit(Math.round(ms / 60_000), 'min') : plural(Math.round(ms / 3_600_000), 'hour');

/** `culprit mirror`. */
export const mirrorCommand = {
  summary: 'Forwards what a project receives to another DSN, so that both servers run side by side.',
  to: 'DSN of the other server',
  projectNeeded: (action: string) => `A project is required: culprit mirror ${action} PROJECT`,
  none: 'No project has a mirror.',
  set: (project: string, target: string) => `${project} forwards to ${target}. A running server begins within seconds.`,
  paused: (project: string) => `Paused the mirror of ${project}. What waits stays for a day.`,
  resumed: (project: string) => `Resumed the mirror of ${project}.`,
  removed: (project: string) => `Removed the mirror of ${project}. What waits is dropped.`,
  askRemove: (project: string) => `Remove the mirror of ${project}? What waits is dropped.`,
  yes: 'remove without asking',
  yesNeeded: 'Confirm with --yes.',
  counts: (forwarded: number, refused: number, dropped: number) =>
    `forwarded ${forwarded}, refused ${refused}, dropped ${dropped}`,
  isPaused: 'paused',
  isFailing: (since: string, problem: string) => `failing since ${since}: ${problem}`,
} as const;

/** Comparisons with another server. */
export const comparison = {
  other: 'the other server',
  limited: (path: string) => `${path}: it limits requests. Try again later, or compare fewer issues`,
  noProject: (project: string) => `no project ${project} that this token can read`,
  needed: 'is required without a mirror, and must be valid',
  tokenNeeded: (variable: string) => `Set ${variable} to an API token of the other server.`,
  placeNeeded: 'Without a mirror, --url and --their-project are required.',
  url: 'address of the other console or API (default: the host of the mirror)',
  theirProject: 'slug or ID of the project there (default: that of the mirror)',
  theirOrganization: 'slug of the organisation there (default: the one with the project)',
  since: 'compare events from this time on (default: the start of the mirror, at most 14 days ago)',
  events: 'newest events of each issue to compare (default: 20)',
  issues: 'newest issues to compare (default: 100)',
  number: (option: string, most: number) => `--${option} must be a whole number from 1 to ${most}.`,
  time: '--since must be a time such as 2026-11-26T10:00:00Z.',
  reading: (place: string) => `Reading ${place} …`,
  asking: (done: number, of: number) => `Looking up events there: ${done} of ${of}`,
  summary: (events: number, same: number, other: number) =>
    `${plural(events, 'event')} on both sides. ${plural(same, 'issue')} the same, ${plural(other, 'group')} of issues different.`,
  kinds: {
    same: 'The same on both sides',
    split: 'One here, several there',
    merged: 'Several here, one there',
    mixed: 'Several on both sides',
  },
  here: 'here',
  there: 'there',
  row: (side: string, id: string, events: number, title: string, url: string) =>
    `  ${side.padEnd(5)}  ${id}  ${plural(events, 'event')}  ${title}\n         ${url}`,
  missingHere: (count: number) => `${plural(count, 'event')} only there:`,
  missingThere: (count: number) => `${plural(count, 'event')} only here:`,
  missing: (eventId: string, id: string, title: string) => `  ${eventId}  ${id}  ${title}`,
  more: (count: number) => `  and ${count} more`,
  unknown: (count: number) => `${plural(count, 'more event')} of this side were not looked up there. Raise --lookups.`,
  lookups: 'events to look up one by one there (default: 200)',
} as const;
