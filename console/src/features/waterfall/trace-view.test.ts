import { describe, expect, test } from 'vitest';
import { rowOfSpan } from './index-trace.ts';
import { visibleRows } from './rows.ts';
import { findRows } from './search.ts';
import { testIndex, type TestSpan } from './testing.ts';
import {
  boundsOf,
  initialTraceView,
  markedOf,
  type Outcome,
  reduceTraceView,
  type TraceScene,
  type TraceSearch,
  type TraceViewEvent,
  type TraceViewState,
  troublesOf,
  windowOf,
} from './trace-view.ts';

const spans: readonly TestSpan[] = [
  { id: 'page', durationUs: 900_000 },
  { id: 'fetch', in: 'page', offsetUs: 100_000, durationUs: 500_000, failed: true },
  { id: 'request', in: 'fetch', offsetUs: 200_000, durationUs: 300_000 },
  ...[0, 1, 2, 3, 4].map((each) => ({ id: `query ${each}`, in: 'request', shape: 9, op: 'db' })),
  { id: 'render', in: 'page', offsetUs: 700_000, durationUs: 100_000, errors: [0] },
];
const index = testIndex(spans, {
  durationUs: 900_000,
  problems: [
    {
      eventId: 'slow',
      issueId: '1',
      shortId: 'WEB-1',
      projectId: '1',
      title: 'N+1 Query',
      type: 'performance_n_plus_one_db_queries',
      offenders: [4, 5],
      causes: [3],
    },
  ],
});
const row = (id: string): number => rowOfSpan(index, id);
const key = (id: string): string => index.keys[row(id)] ?? '';

function sceneOf(state: TraceViewState, search: TraceSearch = {}): TraceScene {
  const focus = rowOfSpan(index, search.focus);
  return {
    index,
    focus,
    visible: visibleRows(index, { ...state, focus }),
    span: search.span,
    bounds: boundsOf(index, focus),
    hits: search.q === undefined ? undefined : findRows(index.rows, search.q),
  };
}

/** Events one after the other, each in the scene that the one before left; the address changes with them. */
function after(search: TraceSearch, ...events: TraceViewEvent[]): Outcome & { readonly search: TraceSearch } {
  let outcome: Outcome = { state: initialTraceView(index, search) };
  let at = search;
  for (const event of events) {
    outcome = reduceTraceView(sceneOf(outcome.state, at), outcome.state, event);
    at = { ...at, ...outcome.address };
  }
  return { ...outcome, search: at };
}
const shown = ({ state, search }: ReturnType<typeof after>): string[] =>
  sceneOf(state, search).visible.map((each) => (each.run ? `${each.run}×` : (index.rows[each.row]?.id ?? '')));

describe('rows', () => {
  test('are collapsed and expanded, a run by itself, and the reader moves there', () => {
    const collapsed = after({}, { kind: 'toggle', at: 1 });
    expect(shown(collapsed)).toEqual(['page', 'fetch', 'render']);
    expect(collapsed.state.activeKey).toBe(key('fetch'));
    expect(shown(after({}, { kind: 'toggle', at: 1 }, { kind: 'toggle', at: 1 }))).toContain('5×');
    const run = after({}, { kind: 'toggle', at: 3 });
    expect(shown(run)).toContain('query 4');
    expect(run.state.activeKey).toBe(`run ${key('query 0')}`);
    expect(after({}, { kind: 'toggle', at: 4 }).state.activeKey).toBe('');
  });

  test('a level is collapsed at once, and siblings are expanded together', () => {
    const outermost = after({}, { kind: 'fold-beyond', level: 1 });
    expect(shown(outermost)).toEqual(['page']);
    const two = after({}, { kind: 'fold-beyond', level: 2 });
    expect(shown(two)).toEqual(['page', 'fetch', 'render']);
    const siblings = after({}, { kind: 'fold-beyond', level: 2 }, { kind: 'unfold-siblings', at: 2 });
    expect(shown(siblings)).toContain('request');
  });

  test('are moved to, with and without the focus, and opened', () => {
    expect(after({}, { kind: 'stand', at: 2 }).state).toMatchObject({ activeKey: key('request'), target: undefined });
    expect(after({}, { kind: 'activate', at: 2 }).state.target).toEqual({ key: key('request'), focus: true });
    const opened = after({}, { kind: 'open', at: 2 });
    expect(opened.address).toEqual({ span: 'request' });
    const closed = after({ span: 'request' }, { kind: 'stand', at: 2 }, { kind: 'close-details' });
    expect(closed.address).toEqual({ span: undefined });
    expect(closed.state.target).toEqual({ key: key('request'), focus: true });
    expect(after({}, { kind: 'open', at: 99 })).toMatchObject({ search: {}, state: { activeKey: '' } });
  });
});

describe('going somewhere', () => {
  test('expands what hides it, and takes open details along', () => {
    const hidden = { kind: 'fold-beyond', level: 1 } as const;
    const gone = after({}, hidden, { kind: 'go', rows: [row('query 2')], takeFocus: true });
    expect(shown(gone)).toContain('query 2');
    expect(gone.address).toBeUndefined();
    expect(after({ span: 'page' }, { kind: 'go', rows: [2], takeFocus: true }).address).toEqual({ span: 'request' });
    expect(after({ span: 'page' }, { kind: 'go', rows: [2], takeFocus: false }).address).toBeUndefined();
    expect(after({}, { kind: 'go', rows: [], takeFocus: true }).state.target).toBeUndefined();
  });

  test('outside of the subtree that is shown shows the whole trace, and all of its time', () => {
    const zoomed = { kind: 'window', window: { fromUs: 200_000, untilUs: 300_000 } } as const;
    const gone = after({ focus: 'fetch' }, zoomed, { kind: 'go', rows: [row('render')], takeFocus: true });
    expect(gone.search.focus).toBeUndefined();
    expect(gone.state.chosen).toBeUndefined();
    expect(shown(gone)).toContain('render');
  });

  test('steps through hits, else through what went wrong, around both ends', () => {
    const at = (search: TraceSearch, ...backwards: boolean[]): string =>
      after(search, ...backwards.map((each) => ({ kind: 'step' as const, backwards: each }))).state.activeKey;
    expect(troublesOf(index)).toEqual([row('render'), row('fetch'), row('query 1')]);
    expect([at({}, false), at({}, false, false), at({}, true), at({}, false, false, false, false)]).toEqual([
      key('render'),
      key('fetch'),
      key('query 1'),
      key('render'),
    ]);
    const search = { q: 'op:db' };
    expect([at(search, false), at(search, false, false), at(search, true)]).toEqual([
      key('query 0'),
      key('query 1'),
      key('query 4'),
    ]);
    expect(at({ q: 'nothing' }, false)).toBe('');
  });
});

test('a subtree is shown alone, and the way back stands where it was', () => {
  const into = after({}, { kind: 'toggle', at: 1 }, { kind: 'focus', row: row('fetch') });
  expect(into.address).toEqual({ focus: 'fetch' });
  expect(shown(into)).toEqual(['fetch', 'request', '5×']);
  const out = after({ focus: 'fetch' }, { kind: 'focus', row: -1 });
  expect(out.address).toEqual({ focus: undefined });
  expect(out.state.target).toEqual({ key: key('fetch'), focus: true });
});

describe('time', () => {
  const windowAfter = (search: TraceSearch, ...events: TraceViewEvent[]) => {
    const { state, search: at } = after(search, ...events);
    return windowOf(sceneOf(state, at), state);
  };

  test('is of the trace or of the subtree, and comes from the address', () => {
    expect(windowAfter({})).toEqual({ fromUs: 0, untilUs: 900_000 });
    expect(boundsOf(index, row('request'))).toEqual({ fromUs: 0, untilUs: 500_000 });
    expect(windowAfter({ t: '100000-200000' })).toEqual({ fromUs: 100_000, untilUs: 200_000 });
    expect(windowAfter({ t: 'yesterday' })).toEqual({ fromUs: 0, untilUs: 900_000 });
  });

  test('is zoomed, panned, and given up where it is all of it', () => {
    expect(windowAfter({}, { kind: 'zoom', factor: 0.5 })).toEqual({ fromUs: 225_000, untilUs: 675_000 });
    expect(windowAfter({}, { kind: 'zoom', factor: 0.5 }, { kind: 'pan', share: 0.5 })).toEqual({
      fromUs: 450_000,
      untilUs: 900_000,
    });
    expect(after({}, { kind: 'zoom', factor: 0.5 }, { kind: 'zoom', factor: 4 }).state.chosen).toBeUndefined();
    expect(after({ t: '1-9' }, { kind: 'window', window: undefined }).state.chosen).toBeUndefined();
  });

  test('stays where it is when an earlier span comes', () => {
    const { state } = after({ t: '100000-200000' });
    const earlier = testIndex(spans, { startUs: index.trace.startUs - 50_000, durationUs: 950_000 });
    expect(windowOf({ index: earlier, bounds: boundsOf(earlier, -1) }, state)).toEqual({
      fromUs: 150_000,
      untilUs: 250_000,
    });
  });
});

test('rows of a problem are marked by their part in it', () => {
  expect([...markedOf(index, 0)]).toEqual([
    [3, 'cause'],
    [4, 'offender'],
    [5, 'offender'],
  ]);
  expect(markedOf(index, -1).size).toBe(0);
});
