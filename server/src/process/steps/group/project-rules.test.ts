/** What a project's rules do to its events, and how the explanation says so. */
import { describe, expect, it } from 'vitest';
import type { GroupingComponent } from '../../types.ts';
import { makeEvent } from '../make-event.ts';
import { compileGrouping, defaultGroupingSettings, groupEvent } from './index.ts';

const frame = (name: string, more: object = {}) => ({
  function: name,
  filename: `/srv/src/${name}.js`,
  lineno: 1,
  in_app: true,
  ...more,
});
const thrown = (frames: object[], more: object = {}) => ({
  platform: 'node',
  exception: [{ type: 'Error', value: 'boom 7', stacktrace: { frames }, ...more }],
});

function grouped(raw: object, rules: { fingerprint?: string; stack?: string } = {}) {
  const { fingerprint: fingerprintRules = '', stack: stackTraceRules = '' } = rules;
  const event = makeEvent(raw);
  const found = groupEvent(event, compileGrouping({ ...defaultGroupingSettings, fingerprintRules, stackTraceRules }));
  return { event, ...found };
}

function named(raw: object, stack: string): string[] {
  const walk = (node: GroupingComponent): string[] =>
    node.id === 'function' ? [node.value ?? ''] : (node.children ?? []).filter((one) => one.contributes).flatMap(walk);
  return grouped(raw, { stack }).grouping.tree.slice(0, 1).flatMap(walk);
}

const stack = [frame('main'), frame('outer'), frame('inner'), frame('crash')];

describe('stack trace rules', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', ['main', 'outer', 'inner', 'crash']],
    ['a frame', 'function:inner -group', ['main', 'outer', 'crash']],
    ['all towards the crash', 'function:outer ^-group', ['main', 'outer']],
    ['all towards the entry', 'function:inner v-group', ['inner', 'crash']],
    ['by its caller', '[ function:outer ] | function:* -group', ['main', 'outer', 'crash']],
    ['by what it calls', 'function:* | [ function:crash ] -group', ['main', 'outer', 'crash']],
    ['and counts again', 'function:* -group\nfunction:{main,crash} +group', ['main', 'crash']],
    ['the last two', 'family:javascript max-frames=2', ['inner', 'crash']],
    ['own code', 'path:**/src/{outer,inner}.js -app', ['main', 'crash']],
    ['by a category', 'function:inner category=x\ncategory:x -group', ['main', 'outer', 'crash']],
    ['of another error', 'type:Other function:inner -group', ['main', 'outer', 'inner', 'crash']],
    ['of this error', 'type:Err* value:boom* mechanism:"<unknown>" function:inner -group', ['main', 'outer', 'crash']],
    ['but lines that cannot be read', 'function:inner -grouo\nfunction:outer -group', ['main', 'inner', 'crash']],
  ])('leave out %s', (_name, rules, expected) => {
    expect(named(thrown(stack), rules)).toEqual(expected);
  });

  it('leave out a stack with too few frames: type and message decide', () => {
    const { grouping } = grouped(thrown(stack), { stack: 'family:all min-frames=5' });
    expect(grouping.hashes).toEqual(
      grouped({ platform: 'node', exception: [{ type: 'Error', value: 'boom 8' }] }).grouping.hashes,
    );
    expect(JSON.stringify(grouping.tree)).toContain(
      'fewer than 5 frames count, by the rule on line 1: family:all min-frames=5',
    );
  });

  it('are named where they decided, and the word of the SDK is kept', () => {
    const { event, grouping } = grouped(thrown(stack), { stack: '# why\nfunction:inner -app\nfunction:outer -group' });
    const text = JSON.stringify(grouping.tree[0]);
    expect(text).toContain('not used: not own code by the rule on line 2: function:inner -app');
    expect(text).toContain('ignored by the rule on line 3: function:outer -group');
    const frames = event.exception?.values[0]?.stacktrace?.frames ?? [];
    expect(frames.map(({ in_app, data }) => [in_app, data?.orig_in_app])).toEqual([
      [true, undefined],
      [true, undefined],
      [false, 1],
      [true, undefined],
    ]);
    // Without the rule again, as a preview does.
    const again = groupEvent(event).grouping.hashes;
    expect(again).toEqual(grouped(thrown(stack)).grouping.hashes);
  });
});

describe('fingerprint rules', () => {
  const event = { ...thrown(stack), transaction: '/pay', tags: { tenant: 't1' }, level: 'error', release: 'shop@1.2' };

  it.each([
    ['type:Error -> x', 'x'],
    ['type:error -> x', undefined],
    ['value:BOOM* -> x', 'x'],
    ['message:"boom ?" -> x', 'x'],
    ['function:inner path:**/inner.js -> x', 'x'],
    ['function:inner path:**/outer.js -> x', undefined],
    ['[ function:outer ] | function:inner app:yes -> x', 'x'],
    ['tags.tenant:t* release:shop@* family:javascript level:ERROR -> x', 'x'],
    ['!tags.tenant:t* -> x', undefined],
    ['!tags.other:t* -> x', 'x'],
    ['type:Nope -> y\ntype:Error -> x\ntype:Error -> z', 'x'],
  ])('%s: %s', (fingerprint, expected) => {
    const { grouping } = grouped({ ...event, fingerprint: ['by the client'] }, { fingerprint });
    expect(grouping.basis).toBe('fingerprint');
    expect(grouping.tree[0]?.children?.[0]?.value).toBe(expected ?? 'by the client');
  });

  it('fill in variables, and name the issue', () => {
    const fingerprint =
      'type:Error -> pay, {{ transaction }}, "{{ tags.tenant }}/{{ error.value }}" title="{{ error.type }}: {{ message }} in {{ stack.function }}"';
    const { grouping, title } = grouped(event, { fingerprint });
    expect(grouping.tree[0]?.children?.map(({ value }) => value)).toEqual(['pay', '/pay', 't1/boom 7']);
    expect(grouping.tree[0]?.why).toMatch(/^set by the rule on line 1: type:Error/);
    expect(title).toBe('Error: boom 7 in crash');
  });

  it('that give a title alone leave the grouping as it is', () => {
    const { grouping, title } = grouped(event, { fingerprint: 'type:Error -> title="Boom"' });
    expect(title).toBe('Boom');
    expect(grouping.hashes).toEqual(grouped(event).grouping.hashes);
  });
});

it('a function has one name in three browsers', () => {
  const at = 'https://shop.example.com/a.js';
  const names = [
    ['async Object.load', 'new Cart', 'Cart.pay [as onClick]'],
    ['async*load', 'Cart', 'open/pay<'],
    ['load', 'Cart', 'pay'],
  ];
  const hashes = names.map((list) => {
    const frames = list.map((name) => frame(name, { filename: at, abs_path: at }));
    return grouped({ platform: 'javascript', exception: [{ type: 'E', value: 'v', stacktrace: { frames } }] }).grouping
      .hashes;
  });
  expect(hashes[1]).toEqual(hashes[0]);
  expect(hashes[2]).toEqual(hashes[0]);
});
