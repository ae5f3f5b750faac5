import { expect, test, vi } from 'vitest';
import { defaultProjectSettings, type ItemContext } from '../types.ts';

/** What stands for a stack while an event is read. */
const mark = (number: number): string => `\0${number}`;
const frame = {
  function: 'checkout',
  filename: 'app:///assets/cart.js',
  abs_path: 'https://shop.example.com/assets/cart.js?token=abc',
  lineno: 10,
  colno: 5,
  in_app: true,
};
const frames = [frame, { ...frame, function: 'pay', context_line: 'const a = [{ b: "}]" }];', lineno: 11 }];
const exception = (stack: object, type = 'TypeError') => ({ type, value: 'x is undefined', stacktrace: stack });
const event = (more: object) => ({
  event_id: 'a'.repeat(32),
  platform: 'javascript',
  timestamp: 1_795_000_000,
  ...more,
});
const thrown = (stack: object = { frames }) => ({ exception: { values: [exception(stack)] } });

const cases: Record<string, object> = {
  'one stack': event(thrown()),
  'another event of it': event({ ...thrown(), message: 'again', tags: { a: 'b' } }),
  'the same stack twice': event({ exception: { values: [exception({ frames }), exception({ frames }, 'Cause')] } }),
  'a thread beside it': event({ ...thrown(), threads: { values: [{ id: 1, stacktrace: { frames } }] } }),
  'another platform': event({ ...thrown(), platform: 'python' }),
  'frames where no stack is': event({ ...thrown(), extra: { stacktrace: { frames }, frames } }),
  'frames that are called for': event({
    ...thrown(),
    extra: { frames: mark(0), text: `"frames":"${mark(0)}"`, at: mark(1) },
  }),
  'a stack that is none': event(thrown({ frames: mark(0) })),
  'an empty stack beside it': event({ exception: { values: [exception({ frames: [] }), exception({ frames })] } }),
  'values of variables': event(thrown({ frames: [{ ...frame, vars: { password: 'x', user: 'ada' } }] })),
  'a key that is written with an escape': event(thrown()),
  'frames that are no list of objects': event(thrown({ frames: [[frame], 'x', null, 7] })),
  'more than is remembered': event(
    thrown({ frames: Array.from({ length: 900 }, (_, lineno) => ({ ...frame, lineno })) }),
  ),
};

const textOf = (name: string): string => {
  const text = JSON.stringify(cases[name]);
  return name.startsWith('a key') ? text.replace('"frames"', String.raw`"fr\u0061mes"`) : text;
};
const other: ItemContext['settings'] = { ...defaultProjectSettings };

async function load() {
  vi.resetModules();
  const { processItem } = await import('../items/index.ts');
  return (name: string, settings = defaultProjectSettings): string => {
    const item = { type: 'event', header: {}, payload: Buffer.from(textOf(name)) };
    return JSON.stringify(processItem(item, { projectId: 1, settings, receivedAt: 1_795_000_000_000 }));
  };
}

test('an event is the same, whatever came before it', async () => {
  const expected = new Map<string, string>();
  for (const name of Object.keys(cases)) expected.set(name, (await load())(name));
  const process = await load();
  for (let turn = 0; turn < 4; turn++) {
    for (const [name, result] of expected) {
      expect(process(name), `${name}, turn ${turn}`).toBe(result);
      expect(process(name, other), `${name}, under other settings, turn ${turn}`).toBe(result);
    }
  }
  for (const [name, result] of expected) {
    const [row] = (JSON.parse(result) as { events: { row: { payload: string } }[] }).events.map((one) => one.row);
    expect(() => JSON.parse(row?.payload ?? '') as unknown, name).not.toThrow();
  }
});

test('a stack that came twice is known', async () => {
  const process = await load();
  for (let turn = 0; turn < 3; turn++) process('one stack');
  const { knownStack, StackTaking } = await import('./known-stacks.ts');
  const stacks = new StackTaking(defaultProjectSettings);
  stacks.parse(textOf('one stack'));
  stacks.platform = 'javascript';
  expect(stacks.hasKnown).toBe(true);
  const taken = stacks.take(mark(0));
  expect(taken && 'known' in taken && knownStack(taken.known)?.platform).toBe('javascript');
  const elsewhere = new StackTaking(other);
  elsewhere.parse(textOf('one stack'));
  expect(elsewhere.hasKnown).toBe(false);
});
