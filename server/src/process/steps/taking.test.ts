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

/** Long enough to be remembered, with what is scrubbed. */
const program = {
  sdk: {
    name: 'sentry.javascript.node',
    version: '11.12.0',
    integrations: Array.from({ length: 30 }, (_, number) => `Integration${number}`),
    packages: [{ name: 'npm:@sentry/node', version: '11.12.0' }],
    settings: { infer_ip: 'never' },
  },
  modules: Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`module-${number}`, `${number}.0.0`])),
  debug_meta: {
    images: Array.from({ length: 4 }, (_, number) => ({
      type: 'sourcemap',
      code_file: `https://shop.example.com/assets/${number}.js?token=AKIAIOSFODNN7EXAMPLE`,
      debug_id: `0000000${number}-0000-4000-8000-000000000000`,
    })),
  },
};

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
  'a program': event({ ...thrown(), ...program }),
  'another event of it by another SDK': event({ ...thrown(), ...program, sdk: { ...program.sdk, version: '12.0.0' } }),
  'a program that is described elsewhere, too': event({ extra: program, ...program, contexts: { app: program } }),
  'a program that is described elsewhere only': event({ message: 'x', contexts: { app: program } }),
  'parts that are called for': event({ ...program, sdk: mark(0), extra: { sdk: '\0sdk', text: '"sdk":{' } }),
  'parts in each other’s place': event({ ...program, modules: program.sdk, sdk: program.modules }),
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
    const result = processItem(item, { projectId: 1, settings, receivedAt: 1_795_000_000_000 });
    const events = result.events?.map(({ payload = [], ...event }) => {
      expect(Buffer.concat(payload.map((piece) => Buffer.from(piece))).toString(), name).toBe(event.row.payload);
      return event;
    });
    return JSON.stringify({ ...result, events });
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
  const { knownStack } = await import('./known-stacks.ts');
  const { Taking } = await import('./taking.ts');
  const taking = new Taking(defaultProjectSettings, false);
  taking.parse(textOf('one stack'));
  const { stacks } = taking;
  if (!stacks) throw new Error('without stacks');
  stacks.platform = 'javascript';
  expect(stacks.hasKnown).toBe(true);
  const taken = stacks.take(mark(0));
  expect(taken && 'known' in taken && knownStack(taken.known)?.platform).toBe('javascript');
  const elsewhere = new Taking(other, false);
  elsewhere.parse(textOf('one stack'));
  expect(elsewhere.stacks?.hasKnown).toBe(false);
});

test('what describes a program is known when it came twice', async () => {
  const process = await load();
  for (let turn = 0; turn < 3; turn++) process('a program');
  const { Taking } = await import('./taking.ts');
  const { knownPart, partNames } = await import('./known-parts.ts');
  const knownOf = (settings: ItemContext['settings']): string[] => {
    const taking = new Taking(settings, true);
    const raw = taking.parse(textOf('a program')) as Record<string, unknown>;
    return partNames.filter((name) => {
      const part = taking.parts.take(name, raw[name], () => undefined);
      return part !== undefined && knownPart(part) !== undefined;
    });
  };
  expect(knownOf(defaultProjectSettings)).toEqual(partNames);
  expect(knownOf(other)).toEqual([]);
});
