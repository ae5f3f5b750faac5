import { expect, test } from 'vitest';
import type { SessionRow } from '../../../base/tables/sessions.ts';
import { outcomesOf, receivedAt, run } from '../testing.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const started = receivedAt - (receivedAt % minuteMs);

const update = (overrides: object = {}): object => ({
  sid: 'f05ce2c984c44f17964998899864d8a9',
  init: true,
  started: new Date(started + 5_000).toISOString(),
  timestamp: new Date(started + 6_500).toISOString(),
  status: 'ok',
  errors: 0,
  attrs: { release: 'web@1.0.0', environment: 'production', ip_address: '{{auto}}', user_agent: 'Mozilla/5.0' },
  ...overrides,
});

function rowOf(payload: object): SessionRow {
  const { rows: { sessions = [] } = {}, kept } = run('session', payload);
  const [row] = sessions;
  if (!row || sessions.length !== 1) throw new Error(`no row: ${JSON.stringify(kept)}`);
  return row;
}

test('an update is a row without anybody in it', () => {
  const row = rowOf(update({ did: 'ada@example.com' }));
  expect(row).toEqual({
    project_id: 1,
    minute: started,
    environment: 'production',
    release: 'web@1.0.0',
    session: expect.stringMatching(/^\d{10,20}$/),
    status: 1,
    duration_ms: 0,
    user: expect.stringMatching(/^\d{10,20}$/),
    exited: 0,
    errored: 0,
    unhandled: 0,
    abnormal: 0,
    crashed: 0,
    received_at: receivedAt,
  });
  expect(rowOf(update()).user).toBe('0');
  expect(rowOf(update()).session).toBe(row.session);
  expect(rowOf(update({ did: 'ada@example.com', sid: 'other' })).user).toBe(row.user);
});

test.each([
  ['ok', 0, 1],
  ['ok', 2, 3],
  ['exited', 0, 2],
  ['exited', 1, 3],
  ['errored', 0, 3],
  ['unhandled', 1, 4],
  ['abnormal', 0, 5],
  ['crashed', 0, 6],
  ['Crashed', 1, 6],
  // A status to come: the session is there, and its errors are known.
  ['frozen', 0, 1],
  ['frozen', '1', 3],
  [undefined, undefined, 1],
])('status %s with %s errors', (status, errors, expected) => {
  expect(rowOf(update({ status, errors })).status).toBe(expected);
});

test.each([
  ['seconds', { duration: 0.05 }, 50],
  ['milliseconds of the oldest SDKs', { duration: 1500.4 }, 1500],
  ['none: from start to end', {}, 1500],
  ['nothing at all is something', { duration: 0 }, 1],
  ['no number', { duration: '3' }, 1500],
  ['less than nothing', { duration: -1 }, 1500],
])('duration in %s', (_, fields, expected) => {
  expect(rowOf(update({ status: 'exited', ...fields })).duration_ms).toBe(expected);
});

test('a duration is known of sessions that ended alone', () => {
  expect(rowOf(update({ status: 'ok', duration: 3 })).duration_ms).toBe(0);
  expect(rowOf(update({ status: 'unhandled', duration: 3 })).duration_ms).toBe(0);
  expect(rowOf(update({ status: 'crashed', duration: 1.2 })).duration_ms).toBe(1200);
  expect(rowOf(update({ status: 'exited', duration: Number.MAX_VALUE })).duration_ms).toBe(5 * dayMs);
});

test('times in seconds, in milliseconds and as text are the same minute', () => {
  for (const time of [started + 5_000, (started + 5_000) / 1000, String((started + 5_000) / 1000)]) {
    expect(rowOf(update({ started: time })).minute).toBe(started);
  }
  // Without a start the update is the first sight of it.
  expect(rowOf(update({ started: undefined })).minute).toBe(started);
  expect(rowOf(update({ started: 'soon', timestamp: null })).minute).toBe(started);
});

test('a wrong clock is set right in whole minutes', () => {
  const wrongBy = 3 * 3_600_000;
  const times = { started: started + 5_000 + wrongBy, timestamp: started + 6_000 + wrongBy };
  for (const latency of [20, 900, 9_000]) {
    const { rows: { sessions } = {} } = run('session', update(times), { sentAt: receivedAt + wrongBy - latency });
    expect(sessions?.[0]?.minute).toBe(started);
  }
  // Without a time of sending the future is now.
  const { rows: { sessions } = {} } = run('session', update(times), { sentAt: undefined });
  expect(sessions?.[0]?.minute).toBe(started);
});

test.each([
  ['six days old', 'session', update({ started: started - 6 * dayMs }), 'invalid:too_old'],
  ['a year old', 'session', update({ started: started - 365 * dayMs }), 'invalid:too_old'],
  ['without a release', 'session', update({ attrs: { environment: 'production' } }), 'invalid:no_release'],
  ['with a bad release', 'session', update({ attrs: { release: 'a/b' } }), 'invalid:no_release'],
  ['without attributes', 'session', update({ attrs: null }), 'invalid:no_release'],
  ['a list', 'session', [], 'invalid:not_an_object'],
  ['no JSON', 'session', '{', 'invalid:json'],
  ['no buckets', 'sessions', { aggregates: [], attrs: { release: 'a' } }, 'invalid:empty'],
  ['an old bucket', 'sessions', { aggregates: [{ started: 0 }], attrs: { release: 'a' } }, 'invalid:too_old'],
  ['a bucket of nothing', 'sessions', { aggregates: [null], attrs: { release: 'a' } }, 'invalid:no_time'],
  ['counts without a release', 'sessions', { aggregates: [{ started: 0 }] }, 'invalid:no_release'],
  [
    'more buckets than minutes',
    'sessions',
    { aggregates: Array.from({ length: 10_001 }, () => ({})), attrs: { release: 'a' } },
    'invalid:too_many_buckets',
  ],
])('refused and kept: %s', (_, type, payload, expected) => {
  const result = run(type, payload);
  expect(outcomesOf(result)).toEqual([['session', expected, 1]]);
  expect(result.kept).toHaveLength(1);
});

test('whom a refused session was of is not kept', () => {
  const who = 'ada@example.com';
  for (const [type, payload] of [
    ['session', update({ did: who, attrs: {} })],
    ['sessions', { aggregates: [{ started: 0, did: who, exited: 1 }], attrs: { release: 'a' } }],
  ] as const) {
    expect(JSON.stringify(run(type, payload).kept)).not.toContain(who);
  }
});

test('buckets are counted by minute and user', () => {
  const at = new Date(started).toISOString();
  const { rows: { sessions } = {}, outcomes } = run('sessions', {
    aggregates: [
      { started: at, exited: 3, errored: 1, crashed: 1 },
      { started: at, exited: 2, abnormal: 1, unhandled: '4', crashed: -1 },
      { started: at, did: 'u-42', exited: 1 },
      { started: new Date(started - minuteMs).toISOString(), exited: Number.MAX_VALUE, errored: 1e15 },
    ],
    attrs: { release: 'front@2.0.0', environment: 'production' },
  });
  expect(outcomes).toEqual([{ category: 'session', outcome: { kind: 'accepted' }, quantity: 1 }]);
  expect(
    sessions?.map(({ minute, user, exited, errored, unhandled, abnormal, crashed }) => [
      (minute - started) / minuteMs,
      user !== '0',
      [exited, errored, unhandled, abnormal, crashed],
    ]),
  ).toEqual([
    [0, false, [5, 1, 4, 1, 1]],
    [0, true, [1, 0, 0, 0, 0]],
    [-1, false, [0, 1_000_000_000, 0, 0, 0]],
  ]);
});

test('hostile values are bounded', () => {
  const payload = `{"__proto__":{"x":1},"sid":${'['.repeat(1000)}${']'.repeat(1000)},"did":"\\ud800\\u0000","started":1e308,"errors":1e400,"status":{"a":1},"attrs":{"release":"r","environment":"a/b"}}`;
  const { rows: { sessions } = {} } = run('session', payload);
  expect(sessions?.[0]).toMatchObject({ environment: '', release: 'r', minute: started, status: 1 });
  // Two without an id are two.
  const first = rowOf(update({ sid: '00000000-0000-0000-0000-000000000000', errors: 1 }));
  const second = rowOf(update({ sid: undefined, errors: 2 }));
  expect(first.session).not.toBe(second.session);
});
