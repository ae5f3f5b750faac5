import { describe, expect, test } from 'vitest';
import {
  type IssueState,
  machine,
  movesAt,
  next,
  settledAfterMs,
  standingOf,
  stateOf,
  type Trigger,
} from './machine.ts';

const states = Object.keys(machine) as IssueState[];

/** Short names of the states, as the table below has them. */
const short = {
  n: 'new',
  o: 'ongoing',
  e: 'escalating',
  r: 'regressed',
  R: 'resolved',
  N: 'in_next_release',
  V: 'in_release',
  C: 'in_commit',
  E: 'archived_until_escalating',
  M: 'archived_until_condition_met',
  F: 'archived_forever',
} as const satisfies Record<string, IssueState>;

// Where each state, in the order n o e r R N V C E M F, goes; a dot is nowhere.
const table: Readonly<Record<Trigger, string>> = {
  //                            n o e r  R N V C  E M F
  resolve: /*                */ 'R R R R  . R R R  R R R',
  resolve_in_next_release: /**/ 'N N N N  N N N N  N N N',
  resolve_in_release: /*     */ 'V V V V  V V V V  V V V',
  resolve_in_commit: /*      */ 'C C C C  C C C C  C C C',
  archive_until_escalating: /**/ 'E E E E  E E E E  . E E',
  archive_until_condition_met: 'M M M M  M M M M  M M M',
  archive_forever: /*        */ 'F F F F  F F F F  F F .',
  reopen: /*                 */ '. . . .  o o o o  o o o',
  review: /*                 */ 'o . o o  . . . .  . . .',
  commit_named: /*           */ 'V V V V  V V . V  V V V',
  commit_released: /*        */ '. . . .  . . . V  . . .',
  seen_again: /*             */ '. . . .  r r r .  . . .',
  condition_met: /*          */ '. . . .  . . . .  . o .',
  outgrown: /*               */ '. e . .  . . . .  e . .',
  wait_over: /*              */ '. . . .  . . . .  . o .',
  settled: /*                */ 'o . o o  . . . .  . . .',
};

describe.each(Object.entries(table) as [Trigger, string][])('%s', (trigger, row) => {
  const cells = row.split(/\s+/);
  test('has a cell for each state', () => expect(cells).toHaveLength(states.length));
  test.each(Object.values(short).map((state, index) => [state, cells[index] ?? '']))('of %s: %s', (state, cell) => {
    expect(next(state, trigger)).toBe(cell === '.' ? 'ignored' : short[cell as keyof typeof short]);
  });
});

test('the table has every state once', () => {
  expect(Object.values(short).toSorted()).toEqual(states.toSorted());
});

test('columns and states stand for each other', () => {
  for (const state of states) expect(stateOf(standingOf(state))).toBe(state);
});

test.each([
  ['unresolved', null, 'ongoing'],
  ['unresolved', 'archived_forever', 'ongoing'],
  ['unresolved', 'toString', 'ongoing'],
  ['resolved', 'new', 'resolved'],
  ['archived', null, 'archived_forever'],
  ['archived', 'ongoing', 'archived_forever'],
] as const)('columns that do not belong together, %s and %s, are %s', (status, substatus, state) => {
  expect(stateOf({ status, substatus })).toBe(state);
});

test('time moves what is new, back or growing after a week, and what is archived for a time at its end', () => {
  const moving = states.filter((state) => movesAt(state, 1_000, 5_000) !== null);
  expect(moving).toEqual(['new', 'regressed', 'escalating', 'archived_until_condition_met']);
  expect(movesAt('new', 1_000, undefined)).toBe(1_000 + settledAfterMs);
  expect(movesAt('archived_until_condition_met', 1_000, 5_000)).toBe(5_000);
  expect(movesAt('archived_until_condition_met', 1_000, undefined)).toBeNull();
});
