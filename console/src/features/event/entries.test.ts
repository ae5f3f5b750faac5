import { expect, test } from 'vitest';
import { some } from '../../ui/testing/some.ts';
import { shownExceptions } from './entries.ts';
import type { Event } from './types.ts';

const event = (platform: string, ...entries: object[]): Event => some({ platform, entries });
const thrown = (...values: object[]) => ({ type: 'exception', data: { values } });
const threads = (...values: object[]) => ({ type: 'threads', data: { values } });
const stack = (name: string) => ({ frames: [{ function: name }] });

test('errors of Java and Python have their package or module, others do not', () => {
  const title = (type: string | null, module: string | null, platform: string): string | undefined =>
    shownExceptions(event(platform, thrown({ type, module })))[0]?.title;
  expect(title('NumberFormatException', 'java.lang', 'java')).toBe('java.lang.NumberFormatException');
  expect(title('com.example.Odd', 'com.example', 'java')).toBe('com.example.Odd');
  expect(title('OutOfStock', 'shop.cart', 'python')).toBe('shop.cart.OutOfStock');
  expect(title('KeyError', null, 'python')).toBe('KeyError');
  expect(title('tracing::error!', 'shop', 'native')).toBe('tracing::error!');
  expect(title('System.InvalidOperationException', 'System.Private.CoreLib', 'csharp')).toBe(
    'System.InvalidOperationException',
  );
  expect(title(null, null, 'go')).toBe('Error');
});

test('an error without any stack has that of the thread that reported it', () => {
  const reporting = threads({ stacktrace: stack('other') }, { current: true, stacktrace: stack('main') });
  const stacks = (...values: object[]) =>
    shownExceptions(event('native', thrown(...values), reporting)).map(
      ({ stacktrace }) => stacktrace?.frames[0]?.function,
    );
  expect(stacks({ type: 'cause' }, { type: 'failed' })).toEqual(['main', undefined]);
  expect(stacks({ type: 'cause', stacktrace: stack('cause') }, { type: 'failed' })).toEqual([undefined, 'cause']);
});

test('without an error the crashed thread is shown, before the current one', () => {
  const titles = (...values: object[]) => shownExceptions(event('java', threads(...values))).map(({ title }) => title);
  const current = { name: 'main', current: true, stacktrace: stack('a') };
  expect(titles(current, { id: 7, crashed: true, stacktrace: stack('b') })).toEqual(['Thread 7']);
  expect(titles(current, { id: 7, crashed: true, stacktrace: null })).toEqual(['Thread main']);
  expect(titles({ name: 'only', stacktrace: stack('a') }, { name: 'idle' })).toEqual(['Thread only']);
  expect(titles({ name: 'a', stacktrace: stack('a') }, { name: 'b', stacktrace: stack('b') })).toEqual([]);
});
