/** The sentence of the page Now, and what Health says of the service. Parts that link have texts of their own. */
import { listed, number, percentage, plural, pluralForm, utcMinute, withUnit } from './intl.ts';

export const now = {
  empty: 'No events received yet.',
  alert: (name: string, state: string) => `alert “${name}” is ${state}`,
  alerts: (count: number) => `${plural(count, 'alert')} ${pluralForm(count, 'is', 'are')} open`,
  lag: (ms: number) => `events take ${span(ms)} to be stored`,
  silentSince: 'no events since ',
  usualPerHour: (count: number) => `; usually ${number(count)} an hour`,
  errorsInHour: (count: number, isEstimate: boolean) =>
    `${isEstimate ? 'about ' : ''}${plural(count, 'error')} in an hour`,
  errorsTimesUsual: (times: number) => `errors ${factor(times)} normal`,
  issue: 'issue',
  newIssue: 'new issue',
  on: ' on ',
  crashFree: (share: number, before: number) =>
    `crash-free sessions down to ${roundedDown(share)} from ${roundedDown(before)}`,
  escalating: (count: string) => `${count} escalating`,
  regressed: (count: string) => `${count} regressed`,
  inLastDay: ' in the last day',
  since: ' since ',
  calm: 'all clear: no new issues',
  errorsLastHour: (count: number) =>
    count ? `${plural(count, 'error')} in the last hour` : 'no errors in the last hour',
  asUsual: ', as usual',
  between: '; ',
  moment: utcMinute,
  /** `40+ issues` where only so many were counted. */
  atLeast: (count: number, isMore: boolean, word: string) =>
    isMore ? `${number(count)}+ ${pluralForm(2, word)}` : plural(count, word),
} as const;

const storeNames = { log: 'log', events: 'events store', state: 'state store', blobs: 'blob store' } as const;

/** What the page Health and the banner of administrators warn of. */
export const troubles = {
  eventsStore: 'The events store is not responding. Events wait in the log.',
  delayed: (reason: string) => `Processing is delayed: ${reason}.`,
  logAway: (reason: string) => `Requests are refused with 503: ${reason}.`,
  log: (share: number) => `The log is ${percentage(share, 0)} full.`,
  jobs: (names: readonly string[]) => `Background jobs keep failing: ${names.join(', ')}.`,
  disk: (share: number) => `The disk has ${percentage(share, 0)} left.`,
  diskSoon: (days: number) =>
    days < 1
      ? 'The disk will be full within a day.'
      : `The disk will be full in about ${plural(Math.round(days), 'day')}.`,
  backups: 'Scheduled backups need attention.',
  /** `nodes`: addresses of those that see it so; none where there is only one node. */
  store: (store: keyof typeof storeNames, state: 'slow' | 'down', since: number, nodes: readonly string[]) =>
    `The ${storeNames[store]} has been ${state === 'slow' ? 'slow' : 'unreachable'} since ${utcMinute(since)}${seenBy(nodes)}.`,
  /** What that leads to while it lasts. */
  withoutStore: {
    log: '',
    events: 'Events wait in the log.',
    state: '',
    blobs: 'Events with large items wait in the log.',
  },
  /** By the role that no node has. */
  noNode: {
    intake: 'No node with the role intake is running. Nothing is received.',
    process: 'No node with the role process is running. Events wait in the log.',
    api: 'No node with the role api is running.',
    jobs: 'No node with the role jobs is running. Alerts, mail and deletions wait.',
  },
  hidden: 'administrators see the reason',
} as const;

const span = (ms: number): string =>
  ms < 120_000 ? withUnit(Math.round(ms / 1000), 's') : withUnit(Math.round(ms / 60_000), 'min');
const factor = (times: number): string => `${times >= 9.95 ? Math.round(times) : Math.round(times * 10) / 10}×`;
const roundedDown = (share: number): string => percentage(Math.floor(share * 1000) / 1000);

const namedNodes = 3;

function seenBy(nodes: readonly string[]): string {
  if (nodes.length === 0) return '';
  const named = nodes.length > namedNodes ? nodes.slice(0, namedNodes - 1) : nodes;
  const rest = nodes.length - named.length;
  const names = rest > 0 ? [...named, `${number(rest)} more`] : named;
  return ` on ${pluralForm(nodes.length, 'node')} ${listed(names, 'and')}`;
}

/** After "The state store is not available:". */
export const stateAway = (node: string, since: number): string =>
  `no answer on node ${node} since ${utcMinute(since)}. Incoming events wait in the log`;

/** For the server's log. */
export const storeChanged = (store: keyof typeof storeNames, state: 'reachable' | 'slow' | 'down'): string =>
  `the ${storeNames[store]} is ${{ reachable: 'reachable again', slow: 'slow', down: 'unreachable' }[state]}`;

/** After "Not ready:". */
export const readiness = {
  stores: storeNames,
  stopping: 'the server is stopping',
} as const;
