import { expect, test } from 'vitest';
import type { Event } from '../../steps/event.ts';
import { stackColumns } from './stack-columns.ts';

const event = (more: Partial<Event>): Event => ({
  event_id: 'e'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 0,
  received: 0,
  tags: [],
  ...more,
});

test('each value once, over the whole chain of exceptions', () => {
  const shared = { function: 'pay', filename: 'cart.ts', lineno: 7, colno: 3, in_app: true };
  expect(
    stackColumns(
      event({
        exception: {
          values: [
            {
              type: 'Error',
              value: 'no card',
              stacktrace: { frames: [shared, { ...shared, lineno: 9, in_app: false }] },
            },
            {
              type: 'PayError',
              value: 'no card',
              mechanism: { type: 'onerror' },
              stacktrace: { frames: [shared, { module: 'app.cart', package: 'app', abs_path: '/app/cart.ts' }] },
            },
          ],
        },
      }),
    ),
  ).toEqual({
    stack_filenames: ['cart.ts'],
    stack_abs_paths: ['/app/cart.ts'],
    stack_functions: ['pay'],
    stack_modules: ['app.cart'],
    stack_packages: ['app'],
    stack_lines: [7, 9],
    stack_columns: [3],
    stack_in_app: [1, 0],
    error_types: ['Error', 'PayError'],
    error_values: ['no card'],
    error_mechanisms: ['onerror'],
    error_main_thread: null,
  });
});

test('of threads those that failed', () => {
  const stack = (name: string) => ({ frames: [{ function: name }] });
  const threads = {
    values: [
      { id: '1', main: true, crashed: true, stacktrace: stack('crashed') },
      { id: '2', main: false, stacktrace: stack('waiting') },
    ],
  };
  expect(stackColumns(event({ threads }))).toMatchObject({ stack_functions: ['crashed'], error_main_thread: 1 });
  for (const id of ['2', 2]) {
    expect(stackColumns(event({ threads, exception: { values: [{ thread_id: id }] } }))).toMatchObject({
      error_main_thread: 0,
    });
  }
});

test('numbers that are no positions, and more than is kept, are left out', () => {
  const frames = [-1, 0, 1.5, 2 ** 32, Number.NaN, ...Array.from({ length: 900 }, (_, index) => index + 1)].map(
    (lineno) => ({ lineno }),
  );
  const { stack_lines: lines } = stackColumns(event({ stacktrace: { frames } }));
  expect(lines).toHaveLength(500);
  expect(lines[0]).toBe(1);
});

test('an event without frames has empty columns', () => {
  expect(Object.values(stackColumns(event({}))).flat()).toEqual([null]);
});
