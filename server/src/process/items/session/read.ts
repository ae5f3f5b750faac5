/** What updates and buckets of every generation of SDKs say, as rows. */
import { createHash } from 'node:crypto';
import type { SessionRow } from '../../../base/tables/sessions.ts';
import { asCount, asList, asObject, asText, type JsonObject } from '../../steps/json.ts';
import { parseEnvironment, parseRelease } from '../../steps/normalize/identity.ts';
import { correctClock, parseTime } from '../../steps/normalize/time.ts';
import { Remarks } from '../../steps/remarks.ts';
import { scrubField, scrubRules } from '../../steps/scrub/index.ts';
import type { ItemContext, Outcome } from '../../types.ts';
import { sessionProblems } from '../../../base/texts/events.ts';

/** Either rows, or why there are none. */
export interface ReadSessions {
  readonly rows: readonly SessionRow[];
  readonly refused?: Outcome;
}

const minuteMs = 60_000;
/** How late a session may be told of, from its start on. */
const maxAgeMs = 5 * 24 * 60 * minuteMs;
/** SDKs send a bucket a minute. */
const maxBuckets = 10_000;
const maxCounted = 1_000_000_000;

/** From the best to the worst; of a session's updates the worst counts, since none of them takes anything back. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['ok', 1],
  ['exited', 2],
  ['errored', 3],
  ['unhandled', 4],
  ['abnormal', 5],
  ['crashed', 6],
]);
const errored = 3;
/** After these a session goes on no more, so that its duration is known. */
const ends: ReadonlySet<string> = new Set(['exited', 'abnormal', 'crashed']);

const uncounted = { exited: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 };

const refuse = (reason: string, detail: string): ReadSessions => ({
  rows: [],
  refused: { kind: 'invalid', reason, detail },
});

/** One update. A status that nobody knows yet is of a session all the same: its errors say how it fared. */
export function readUpdate(payload: JsonObject, context: ItemContext): ReadSessions {
  const sender = senderOf(payload, context);
  if (!sender) return refuse('no_release', sessionProblems.noRelease);
  const updated = parseTime(payload.timestamp);
  const started = parseTime(payload.started) ?? updated ?? context.receivedAt;
  const minute = minuteOf(started, context);
  if (minute === undefined) return refuse('too_old', sessionProblems.tooOld);
  const word = asText(payload.status)?.trim().toLowerCase() ?? 'ok';
  const status = statuses.get(word) ?? 1;
  const row: SessionRow = {
    project_id: context.projectId,
    minute,
    ...sender,
    session: hashOf('session', sessionId(payload) ?? `${context.receivedAt} ${JSON.stringify(payload)}`),
    status: (asCount(payload.errors) ?? 0) > 0 ? Math.max(status, errored) : status,
    duration_ms: ends.has(word) ? durationOf(payload.duration, (updated ?? started) - started) : 0,
    user: userOf(payload.did),
    ...uncounted,
    received_at: context.receivedAt,
  };
  return { rows: [row] };
}

/** Buckets of counted sessions. Each session is in one of the counts. */
export function readBuckets(payload: JsonObject, context: ItemContext): ReadSessions {
  const sender = senderOf(payload, context);
  if (!sender) return refuse('no_release', sessionProblems.noReleases);
  const buckets = asList(payload.aggregates) ?? [];
  if (buckets.length === 0) return refuse('empty', sessionProblems.noBuckets);
  if (buckets.length > maxBuckets)
    return refuse('too_many_buckets', sessionProblems.tooManyBuckets(buckets.length, maxBuckets));
  const rows: SessionRow[] = [];
  let why: ReadSessions | undefined;
  for (const entry of buckets) {
    const bucket = asObject(entry) ?? {};
    const started = parseTime(bucket.started);
    const minute = started === undefined ? undefined : minuteOf(started, context);
    if (minute === undefined) {
      why ??=
        started === undefined
          ? refuse('no_time', sessionProblems.noStart)
          : refuse('too_old', sessionProblems.bucketTooOld);
      continue;
    }
    const user = userOf(bucket.did);
    rows.push({
      project_id: context.projectId,
      minute,
      ...sender,
      session: user,
      status: 0,
      duration_ms: 0,
      user,
      exited: countOf(bucket.exited),
      errored: countOf(bucket.errored),
      unhandled: countOf(bucket.unhandled),
      abnormal: countOf(bucket.abnormal),
      crashed: countOf(bucket.crashed),
      received_at: context.receivedAt,
    });
  }
  return rows.length === 0 && why ? why : { rows };
}

/** Release and environment; undefined without a release, by which health is told. */
function senderOf(
  { attrs }: JsonObject,
  { settings }: ItemContext,
): Pick<SessionRow, 'release' | 'environment'> | undefined {
  const { release, environment } = asObject(attrs) ?? {};
  const remarks = new Remarks();
  const valid = parseRelease(release, remarks);
  const rules = scrubRules(settings);
  return valid === undefined
    ? undefined
    : {
        release: scrubField(valid, 'id', rules),
        environment: scrubField(parseEnvironment(environment, remarks) ?? '', 'id', rules),
      };
}

/**
 * The minute it started in, by the server's clock; undefined where that is too long ago. A wrong clock is set right in
 * whole minutes, so that updates that were sent at different speeds stay with each other.
 */
function minuteOf(startedMs: number, { sentAt, receivedAt }: ItemContext): number | undefined {
  const { timestampMs, shiftMs, remark } = correctClock({
    timestampMs: startedMs,
    receivedMs: receivedAt,
    ...(sentAt !== undefined && { sentAtMs: sentAt }),
  });
  const correctedMs =
    remark === 'clock_drift' ? startedMs + Math.round(shiftMs / minuteMs) * minuteMs : Math.trunc(timestampMs);
  if (remark === 'past_timestamp' || receivedAt - correctedMs > maxAgeMs) return undefined;
  return Math.max(0, correctedMs - (correctedMs % minuteMs));
}

/** All zeros is how SDKs without random numbers write that there is none. */
function sessionId({ sid }: JsonObject): string | undefined {
  const id = asText(sid)?.trim().toLowerCase().replaceAll('-', '');
  return id === undefined || /^0*$/.test(id) ? undefined : id;
}

/** ms of what is given in seconds, by the oldest SDKs in ms: then it is far longer than from start to end. */
function durationOf(duration: unknown, elapsedMs: number): number {
  const elapsed = Math.min(Math.max(0, elapsedMs), maxAgeMs);
  const value = typeof duration === 'number' && Number.isFinite(duration) && duration >= 0 ? duration : elapsed / 1000;
  const inSeconds = value * 1000;
  const ms = inSeconds > elapsed + minuteMs && value <= elapsed + minuteMs ? value : inSeconds;
  return Math.max(1, Math.round(Math.min(ms, maxAgeMs)));
}

function userOf(did: unknown): string {
  const user = asText(did)?.trim();
  return user === undefined || user === '' ? '0' : hashOfUser(user);
}

/** As rows have it, of what an SDK calls `did`. */
export const hashOfUser = (user: string): string => hashOf('user', user);

const countOf = (value: unknown): number => Math.min(asCount(value) ?? 0, maxCounted);

/** 64 bits that lead back to nobody, as a decimal text; never '0'. */
function hashOf(kind: 'session' | 'user', text: string): string {
  const number = createHash('sha256').update(`${kind}\n${text}`).digest().readBigUInt64BE();
  return number === 0n ? '1' : String(number);
}
