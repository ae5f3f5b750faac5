import { expect, test } from 'vitest';
import type { Event } from './event.ts';
import { factsText } from './facts.ts';

type Parts = Pick<Event, 'contexts' | 'exception' | 'threads'>;

const trace = (name: string) => ({ trace: { op: 'task', data: { 'thread.name': name } } });

test.each<[string, Parts, string | undefined]>([
  ['without threads as the SDK says', { contexts: trace('main') }, 'main'],
  [
    'as the SDK says where it says so',
    { contexts: trace('main'), threads: { values: [{ name: 'a', current: true }] } },
    'main',
  ],
  [
    'else of the thread that crashed',
    {
      threads: {
        values: [
          { name: 'a', current: true },
          { name: 'b', crashed: true },
        ],
      },
    },
    'b',
  ],
  [
    'else of that which the exception names',
    {
      exception: { values: [{ thread_id: 7 }] },
      threads: {
        values: [
          { id: '7', name: 'a' },
          { name: 'b', crashed: true },
        ],
      },
    },
    'a',
  ],
  ['none of one without a name', { threads: { values: [{ id: 1, crashed: true }] } }, undefined],
  ['none of those that were only there', { threads: { values: [{ name: 'a' }, { name: 'b' }] } }, undefined],
])('the name of the thread is found: %s', (_name, parts, name) => {
  const facts = JSON.parse(factsText({ type: 'error', ...parts })) as { contexts?: Event['contexts'] };
  expect((facts.contexts?.trace?.data as Record<string, unknown> | undefined)?.['thread.name']).toBe(name);
  if (parts.contexts?.trace) expect(facts.contexts?.trace?.op).toBe('task');
});
