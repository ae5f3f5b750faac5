import { expect, test } from 'vitest';
import { makeEvent } from '../make-event.ts';
import { Remarks } from '../remarks.ts';

const frame = { function: 'run', module: 'com.example.Pool' };
const lock = { type: 8, address: '0x0d3a2f0a', package_name: 'java.lang', class_name: 'Object', thread_id: 17 };

test('a thread keeps what it was doing, and what it held', () => {
  const thread = {
    id: 14,
    name: 'worker-7',
    state: 'BLOCKED',
    crashed: true,
    current: true,
    main: true,
    daemon: true,
    priority: 5,
    held_locks: { '0x0d3a2f0a': { ...lock, type: 1 } },
    stacktrace: { frames: [{ ...frame, native: true, lock }], snapshot: true },
  };
  const [kept] = makeEvent({ threads: [thread] }).threads?.values ?? [];
  expect(kept).toMatchObject(thread);
});

test('what says nothing is left out', () => {
  const thread = {
    id: 'x',
    crashed: false,
    daemon: false,
    priority: -1,
    held_locks: [],
    stacktrace: { frames: [{ ...frame, native: false, lock: 'x' }], snapshot: false },
  };
  const [kept] = makeEvent({ threads: [thread] }).threads?.values ?? [];
  expect(Object.keys(kept ?? {}).filter((name) => kept?.[name as keyof typeof kept] !== undefined)).toEqual([
    'id',
    'stacktrace',
  ]);
  expect(Object.keys(kept?.stacktrace ?? {})).toEqual(['frames']);
  expect(kept?.stacktrace?.frames[0]).not.toHaveProperty('native');
  expect(kept?.stacktrace?.frames[0]).not.toHaveProperty('lock');
});

test.each([
  [7, 7],
  ['7', '7'],
  [140_443_543_026_560, 140_443_543_026_560],
  [1.5, '1.5'],
  [true, 'true'],
  [null, undefined],
  [{}, undefined],
])('the id %j is kept as %j', (sent, kept) => {
  const event = makeEvent({ exception: [{ type: 'E', thread_id: sent }], threads: [{ id: sent }] });
  expect(event.threads?.values[0]?.id).toBe(kept);
  expect(event.exception?.values[0]?.thread_id).toBe(kept);
});

test('hostile threads are bounded, and what is cut is said', () => {
  const remarks = new Remarks();
  const locks = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`${index}`.repeat(200), { class_name: 'x'.repeat(10_000) }]),
  );
  const event = makeEvent({ threads: Array.from({ length: 400 }, () => ({ id: 1, held_locks: locks })) }, {}, remarks);
  expect(event.threads?.values).toHaveLength(250);
  expect(JSON.stringify(event.threads?.values[0]).length).toBeLessThan(20_000);
  expect(remarks.meta()).toEqual({ threads: { values: { '': { rem: [['!limit', 'x']], len: 400 } } } });
});

test('a stack that was cut says so where it stands', () => {
  const remarks = new Remarks();
  const stacktrace = { frames: Array.from({ length: 300 }, (_, lineno) => ({ ...frame, lineno })) };
  makeEvent({ exception: [{ type: 'A' }, { type: 'B', stacktrace }], threads: [{ stacktrace }] }, {}, remarks);
  const cut = { stacktrace: { frames: { '': { rem: [['!limit', 'x']], len: 300 } } } };
  expect(remarks.meta()).toEqual({ exception: { values: { 1: cut } }, threads: { values: { 0: cut } } });
});
