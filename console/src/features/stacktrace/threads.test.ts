import { expect, test } from 'vitest';
import { some } from '../../ui/testing/some.ts';
import { lockingOf, matching, type Thread, threadName } from './threads.ts';

const thread = (fields: object): Thread => some({ id: null, name: null, state: null, heldLocks: null, ...fields });
const lock = (type: number | null, address: string | null, thread_id: unknown = null) => ({
  type,
  address,
  package_name: 'java.lang',
  class_name: 'Object',
  thread_id,
});

const holder = thread({ id: 14, name: 'holder', state: 'TIMED_WAITING', heldLocks: { '0x1': lock(1, '0x1') } });
const waiter = thread({
  id: 15,
  name: 'waiter',
  state: 'BLOCKED',
  stacktrace: { frames: [{ module: 'shop.App', function: 'run' }, { lock: lock(8, '0x1', '14') }] },
});
const nameless = thread({ id: 0, heldLocks: { '0x2': { ...lock(null, null), package_name: null, class_name: null } } });
const all = [holder, waiter, nameless];

test('who holds a monitor, and who waits for it', () => {
  expect(lockingOf(holder, all)).toEqual([{ kind: 'holds', what: 'java.lang.Object <0x1>', holder: undefined }]);
  expect(lockingOf(waiter, all)).toEqual([{ kind: 'waits', what: 'java.lang.Object <0x1>', holder: 'holder' }]);
  expect(lockingOf(nameless, all)).toEqual([{ kind: 'holds', what: '<0x2>', holder: undefined }]);
});

test('a monitor is named once, and one of an unknown kind not at all', () => {
  const twice = thread({
    heldLocks: { '0x1': lock(1, '0x1') },
    stacktrace: { frames: [{ lock: lock(1, '0x1') }, { lock: lock(3, '0x9') }, { lock: lock(4, '0x2') }] },
  });
  expect(lockingOf(twice, all).map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'holds java.lang.Object <0x1>',
    'sleeps java.lang.Object <0x2>',
  ]);
});

test('threads are found by name, state, monitor and call', () => {
  const found = (typed: string): string[] => matching(all, typed).map(threadName);
  expect(found(' ')).toEqual(['holder', 'waiter', '0']);
  expect(found('WAIT')).toEqual(['holder', 'waiter']);
  expect(found('blocked waiter')).toEqual(['waiter']);
  expect(found('shop.app.run')).toEqual(['waiter']);
  expect(found('object')).toEqual(['holder', 'waiter']);
  expect(found('nothing')).toEqual([]);
});
