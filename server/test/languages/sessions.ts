/** Updates of sessions and sessions counted by the minute, as SDKs send them and as rows hold them. */
import { createHash } from 'node:crypto';
import { parseEnvelope } from '@culprit/envelope';
import type { LanguageFixture } from '../../../fixtures/index.ts';
import type { Field, Rule } from './compare.ts';
import { object, type Json } from './json.ts';

const counted = ['exited', 'errored', 'unhandled', 'abnormal', 'crashed'];

/** As texts: the largest are no numbers of JSON. */
export const sessionRows = `
  SELECT toString(session) AS sid, release, environment, min(toUnixTimestamp64Milli(minute)) AS first,
    max(status) AS worst, max(duration_ms) AS duration, toString(max(user)) AS did,
    ${counted.map((name) => `sum(${name}) AS all_${name}`).join(', ')}
  FROM sessions GROUP BY session, release, environment`;

/** A session that was counted has no id. */
export interface SessionColumns {
  readonly sid: string;
  readonly release: string;
  readonly environment: string;
  readonly first: number;
  readonly worst: number;
  readonly duration: number;
  readonly did: string;
  readonly [count: `all_${string}`]: number;
}

export interface SentSession {
  readonly kind: 'update' | 'counted';
  readonly sent: Json;
}

export function sessionsOf({ meta, bytes }: LanguageFixture): SentSession[] {
  if (!meta.path.includes('/envelope/')) return [];
  return parseEnvelope(bytes).items.flatMap(({ type, payload }): SentSession[] => {
    if (type !== 'session' && type !== 'sessions') return [];
    const { aggregates, ...sent } = JSON.parse(Buffer.from(payload).toString()) as Json;
    if (type === 'session') return [{ kind: 'update', sent }];
    return (aggregates as Json[]).map((bucket) => ({ kind: 'counted', sent: { ...sent, ...bucket } }));
  });
}

const hashOf = (kind: string, text: string): string =>
  String(createHash('sha256').update(`${kind}\n${text}`).digest().readBigUInt64BE());

export const isRowOf =
  ({ kind, sent }: SentSession) =>
  (row: SessionColumns): boolean => {
    const attrs = object(sent.attrs) ?? {};
    if (row.release !== attrs.release || row.environment !== attrs.environment) return false;
    return kind === 'update'
      ? row.sid === hashOf('session', String(sent.sid).replaceAll('-', ''))
      : row.worst === 0 && row.sid === '0';
  };

export const sessionAsSent = (row: SessionColumns): Json => ({
  sid: row.sid,
  did: row.did,
  started: Number(row.first),
  status: Number(row.worst),
  duration: Number(row.duration),
  attrs: { release: row.release, environment: row.environment },
  ...Object.fromEntries(counted.map((name) => [name, Number(row[`all_${name}`])])),
});

const statuses = ['', 'ok', 'exited', 'errored', 'unhandled', 'abnormal', 'crashed'];

const minuteMs = 60_000;

function isMinute({ before, after, from }: Field): boolean {
  const ms = Date.parse(String(before));
  if (!Number.isFinite(ms) || typeof after !== 'number' || after % minuteMs !== 0) return false;
  // It is of the sender's clock, or of the time when it was sent again, whose updates and buckets move together.
  return Object.hasOwn(from, 'started') && after >= ms - (ms % minuteMs);
}

export const sessionRules: readonly Rule[] = [
  {
    name: 'as a hash',
    because: 'A session and whoever used it are told apart, and never named.',
    holds: ({ pattern, before, after }) =>
      (pattern === 'sid' && after === hashOf('session', String(before).replaceAll('-', ''))) ||
      (pattern === 'did' && after === (before === null ? '0' : hashOf('user', String(before)))),
  },
  {
    name: 'the minute it started in',
    because: 'Health is told by the minute at most; a clock that is wrong is set right.',
    holds: (field) => field.pattern === 'started' && isMinute(field),
  },
  {
    name: 'the worst counts',
    because: 'Of all updates of a session, none takes anything back; one with errors has fared no better than errored.',
    holds: ({ pattern, before, after, from }) =>
      pattern === 'status' &&
      Number(after) >= Math.max(statuses.indexOf(String(before)), Number(from.errors ?? 0) > 0 ? 3 : 0),
  },
  {
    name: 'errors are a status',
    because: 'How many there were is counted where they are stored.',
    holds: ({ pattern, before, to }) => pattern === 'errors' && (before === 0 || Number(to.status) >= 3),
  },
  {
    name: 'in milliseconds, once it ended',
    because: 'While a session goes on its duration says nothing yet.',
    holds: ({ pattern, before, after, from }) =>
      pattern === 'duration' &&
      (from.status === 'ok' || Math.abs(Number(after) - Math.max(1, Number(before) * 1000)) <= 1),
  },
  {
    name: 'what updates are for',
    because: 'Whether it is the first, which one it is and when it was sent: the row is of all of them.',
    holds: ({ pattern }) => pattern === 'init' || pattern === 'seq' || pattern === 'timestamp',
  },
  {
    name: 'counted together',
    because: 'Those of one release are one number; that of all is compared with what the API shows.',
    holds: ({ pattern, before, after }) => counted.includes(pattern) && Number(after) > Number(before),
  },
  {
    name: 'of nobody in person',
    because: 'Sessions are counted without the addresses and browsers that they came from.',
    holds: ({ pattern, after }) => after === undefined && /^attrs\.(?:ip_address|user_agent)$/.test(pattern),
  },
];

/** By release and environment, how many fared how, from what was sent alone. */
export function fatesOf(sessions: readonly SentSession[]): Map<string, Map<string, number>> {
  const worst = new Map<string, { readonly place: string; readonly status: number }>();
  const fates = new Map<string, Map<string, number>>();
  const add = (place: string, status: string, count: number): void => {
    const known = fates.get(place) ?? new Map<string, number>();
    if (count > 0) fates.set(place, known.set(status, (known.get(status) ?? 0) + count));
  };
  for (const { kind, sent } of sessions) {
    const { release, environment } = object(sent.attrs) ?? {};
    const place = `${String(release)} ${String(environment)}`;
    if (kind === 'counted') {
      for (const status of ['exited', ...statuses.slice(3)]) add(place, fate(status), Number(sent[status] ?? 0));
      continue;
    }
    const status = Math.max(statuses.indexOf(String(sent.status)), Number(sent.errors ?? 0) > 0 ? 3 : 0);
    const sid = String(sent.sid);
    worst.set(sid, { place, status: Math.max(status, worst.get(sid)?.status ?? 0) });
  }
  for (const { place, status } of worst.values()) add(place, fate(statuses[status] ?? ''), 1);
  return fates;
}

const fate = (status: string): string => (status === 'ok' || status === 'exited' ? 'healthy' : status);
