import { expect, test } from 'vitest';
import { some } from '../../ui/testing/some.ts';
import { chainOf } from './chain.ts';
import type { ShownException } from './entries.ts';

const thrown = (title: string, mechanism: object | null = null, stacktrace?: object): ShownException =>
  some({ title, exception: { type: title, mechanism }, stacktrace });

/** The newest frame, with its line and those after it. */
const raisedAt = (...lines: string[]) => ({
  frames: [{ lineNo: 7, context: [[6, 'before'], ...lines.map((line, index) => [7 + index, line])] }],
});

const said = (shown: ShownException[], platform = 'other'): string[] =>
  chainOf(shown, platform).map(({ title, relation, depth }) => `${'  '.repeat(depth)}${relation} ${title}`);

test('without ids each is the cause of the one before', () => {
  expect(said([thrown('a'), thrown('b'), thrown('c')])).toEqual(['cause b', 'cause c']);
  expect(said([thrown('a')])).toEqual([]);
});

test('suppressed exceptions of Java belong to what they were suppressed for, before its cause', () => {
  const ids = (type: string, id: number, parent?: number) => ({ type, exception_id: id, parent_id: parent });
  // As Java's SDK sends two that were suppressed for the first.
  expect(
    said(
      [
        thrown('failed', ids('chained', 0)),
        thrown('cause', ids('chained', 1, 0)),
        thrown('till', ids('suppressed', 2, 0)),
        thrown('its cause', ids('chained', 3, 2)),
        thrown('door', ids('suppressed', 4, 2)),
      ],
      'java',
    ),
  ).toEqual(['  suppressed till', '  cause its cause', '  suppressed door', 'cause cause']);
});

test.each(['errors', 'exceptions', 'InnerExceptions'])('members of a group are within it: %s', (list) => {
  const member = (at: number, id: number) => ({ source: `${list}[${at}]`, exception_id: id, parent_id: 0 });
  expect(
    said([
      thrown('group', { exception_id: 0, is_exception_group: true }),
      thrown('one', member(0, 1)),
      thrown('two', member(1, 2)),
      thrown('root', { source: 'unwrap', exception_id: 3, parent_id: 2 }),
    ]),
  ).toEqual(['  member one', '  member two', '  cause root']);
  expect(
    said([thrown('group'), thrown('one', { source: `${list}[0]` }), thrown('two', { source: `${list}[1]` })]),
  ).toEqual(['  member one', '  member two']);
});

test('what a member of a group in Python came from stands with the member, though it is handed to the group', () => {
  expect(
    said(
      [
        thrown('group', { exception_id: 0, is_exception_group: true }),
        thrown('one', { source: 'exceptions[0]', exception_id: 1, parent_id: 0 }),
        thrown('two', { source: 'exceptions[1]', exception_id: 2, parent_id: 0 }),
        thrown('root', { source: '__context__', exception_id: 3, parent_id: 0 }),
      ],
      'python',
    ),
  ).toEqual(['  member one', '  member two', '  during root']);
});

const raising: readonly (readonly [lines: string[], relation: string])[] = [
  [['raise Failed(f"order {form[\'name\']} from hand") from error'], 'direct'],
  [['raise Failed(', '    order,', ') from error'], 'direct'],
  [['raise Failed("read from disk")'], 'during'],
  [['raise'], 'during'],
  [['raise Failed(order)', 'other(f) from error'], 'during'],
  [['return 1 / 0'], 'during'],
];

test.each(raising)('in Python the line that raised tells the relation: %j is "%s"', (lines, relation) => {
  expect(said([thrown('a', null, raisedAt(...lines)), thrown('b')], 'python')).toEqual([`${relation} b`]);
});

test('in Python without source it is a cause; in other languages it always is', () => {
  expect(said([thrown('a', null, { frames: [{ lineNo: 7, context: [] }] }), thrown('b')], 'python')).toEqual([
    'cause b',
  ]);
  expect(said([thrown('a', null, raisedAt('raise')), thrown('b')], 'ruby')).toEqual(['cause b']);
});

test('ids that lead in circles, to themselves or nowhere lose nothing', () => {
  const ids = (id: unknown, parent: unknown) => ({ exception_id: id, parent_id: parent });
  for (const mechanisms of [
    [ids(0, 1), ids(1, 2), ids(2, 1)],
    [ids(0, 0), ids(1, 1), ids(1, 1)],
    [ids('a', {}), ids(null, 9), { type: 'suppressed', ...ids(2, 2) }],
    [ids(0, 0), { type: 'suppressed', ...ids(1, 2) }, { type: 'suppressed', ...ids(2, 1) }],
  ])
    expect(
      chainOf(
        mechanisms.map((each, index) => thrown(String(index), each)),
        'python',
      )
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(['1', '2']);
});
