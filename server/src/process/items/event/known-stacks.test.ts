/** An event whose stack is known gives the same row as one whose stack came for the first time. */
import { describe, expect, it } from 'vitest';
import { defaultProjectSettings, type ItemContext } from '../../types.ts';
import { run } from '../testing.ts';

type Json = Record<string, unknown>;

const frames = (count: number, more: Json = {}): Json[] =>
  Array.from({ length: count }, (_, index) => ({
    filename: `https://shop.example.com/assets/cart-${index % 3}-1a2b3c4d.js`,
    function: `load${index}`,
    lineno: 1,
    colno: index + 1,
    in_app: index % 2 === 0,
    context_line: `if (a[{ b: [${index}] }]) throw new Error("frames\\":[");`,
    ...more,
  }));

const thrown = (stack: unknown, more: Json = {}): Json => ({
  event_id: 'a'.repeat(32),
  platform: 'javascript',
  exception: { values: [{ type: 'Error', value: 'broken', stacktrace: { frames: stack } }] },
  ...more,
});

/** Settings that nothing is remembered for. */
const anew = (): Partial<ItemContext> => ({ settings: { ...defaultProjectSettings } });

const stored = (event: unknown, context: Partial<ItemContext>) => {
  const { events = [], outcomes, waiting } = run('event', event, context);
  return {
    outcomes,
    waiting: waiting?.length,
    events: events.map(({ row, grouping, seed }) => ({ row, tree: grouping.tree, seed })),
  };
};

/** The row of the last, once of new settings and once after the others. */
function both(...events: readonly unknown[]): { first: unknown; later: unknown } {
  const context = anew();
  // What came twice is remembered.
  for (const event of [...events, ...events]) stored(event, context);
  return { first: stored(events.at(-1), anew()), later: stored(events.at(-1), context) };
}

describe('an event whose stack is known', () => {
  it.each<[string, ...unknown[]]>([
    ['is stored like the first', thrown(frames(5)), thrown(frames(5), { event_id: 'b'.repeat(32), message: 'other' })],
    [
      'may have registers',
      thrown(frames(5)),
      { ...thrown([]), stacktrace: { frames: frames(5), registers: { pc: '0x1' } } },
    ],
    [
      'may be one of several',
      thrown(frames(3)),
      {
        platform: 'javascript',
        exception: [3, 4, 3].map((count) => ({ type: 'E', value: `${count}`, stacktrace: { frames: frames(count) } })),
        threads: [{ id: 1, crashed: true, stacktrace: { frames: frames(3) } }],
      },
    ],
    ['may be of another platform', thrown(frames(4)), thrown(frames(4), { platform: 'python' })],
    ['may be of machine code', thrown(frames(4), { platform: 'native' }), thrown(frames(4), { platform: 'native' })],
    [
      'may have old names',
      thrown(frames(4)),
      { platform: 'javascript', 'sentry.interfaces.Exception': thrown(frames(4)).exception },
    ],
    [
      'may have two stacks by one name',
      thrown(frames(4)),
      { ...thrown(frames(4)), 'sentry.interfaces.Exception': thrown(frames(3)).exception },
    ],
    [
      'may have frames where none belong',
      thrown(frames(4)),
      thrown(frames(4), { extra: { frames: frames(4), text: JSON.stringify({ frames: frames(4) }) } }),
    ],
    [
      'may have more exceptions than are kept',
      thrown(frames(2)),
      {
        exception: Array.from({ length: 60 }, () => ({ type: 'E', stacktrace: { frames: frames(2) } })),
      },
    ],
    [
      'may have variables',
      thrown(frames(3, { vars: { password: 'x', a: 1 } })),
      thrown(frames(3, { vars: { password: 'x', a: 1 } })),
    ],
    ['may be too long', thrown(frames(300)), thrown(frames(300))],
    [
      'may hold secrets',
      thrown(frames(3, { context_line: "token = 'abcdef123456'" })),
      thrown(frames(3, { context_line: "token = 'abcdef123456'" })),
    ],
    ['may be empty', thrown([]), thrown([])],
    ['may have no frames in its list', thrown([1, 'two', null, '\u00000']), thrown([1, 'two', null, '\u00000'])],
  ])('%s', (_name, ...events) => {
    const { first, later } = both(...events);
    expect(later).toEqual(first);
  });

  it('shares nothing with other settings', () => {
    const event = thrown(frames(3, { context_line: "token = 'abcdef123456'" }));
    const context = anew();
    for (let times = 0; times < 2; times++) stored(event, context);
    const [row] = stored(event, context).events;
    const [open] = stored(event, { settings: { ...defaultProjectSettings, scrubData: false } }).events;
    expect(row?.row.payload).toContain('[Filtered]');
    expect(open?.row.payload).not.toContain('[Filtered]');
  });

  it('has frames of its own where they wait for source maps', () => {
    const context = anew();
    for (let times = 0; times < 2; times++) stored(thrown(frames(4)), context);
    const [first, second] = [1, 2].map(
      () => run('event', thrown(frames(4)), { ...context, hasArtifacts: true }).waiting?.[0],
    );
    expect(first?.stacks[0]?.frames).toHaveLength(4);
    expect(first?.stacks[0]?.frames[0]).not.toBe(second?.stacks[0]?.frames[0]);
  });

  it.each([
    ['{"exception":{"values":[{"stacktrace":{"frames":[{"function":"a"}}]}'],
    [`{"exception":{"stacktrace":{"frames":[{"function":bad,"filename":"${'a'.repeat(100)}"}]}}}`],
    [`{"frames":[${'['.repeat(100)}`],
    ['{"a":"b"frames":[{"function":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}]}'],
  ])('%s is refused as it came', (text) => {
    const { outcomes } = run('event', text, anew());
    expect(outcomes[0]?.outcome).toMatchObject({ kind: 'invalid', reason: 'json' });
    // With rules that ask what is around a stack none is looked for.
    const { grouping } = defaultProjectSettings;
    const settings = { ...defaultProjectSettings, grouping: { ...grouping, stackTraceRules: 'function:x -app' } };
    expect(outcomes).toEqual(run('event', text, { settings }).outcomes);
  });
});
