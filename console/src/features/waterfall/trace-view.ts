/**
 * What of a trace is shown and where the reader stands in it. Pure: `reduceTraceView` takes an event and tells the next
 * state, and what of it goes into the address, so that a link brings it back.
 */
import type { IndexedTrace } from './index-trace.ts';
import { foldedBeyond, revealed, type View, type VisibleRow } from './rows.ts';
import { parseWindow, panned, type TimeWindow, within, zoomed } from './scale.ts';
import { nextOf } from './search.ts';
import type { ScrollTarget, WaterfallAction } from './Waterfall.tsx';

/** Of the address. */
export interface TraceSearch {
  /** The span whose details are open. */
  readonly span?: string | undefined;
  readonly q?: string | undefined;
  /** Event id of a performance problem that is marked. */
  readonly problem?: string | undefined;
  /** The span whose subtree is all that is shown. */
  readonly focus?: string | undefined;
  /** `from-until`, µs from the start. */
  readonly t?: string | undefined;
  /** Whether the critical path is drawn. */
  readonly path?: 'off' | undefined;
  /** What stands beside the rows while no span is open. */
  readonly panel?: 'logs' | undefined;
}

export interface ChosenWindow extends TimeWindow {
  /** The trace's start when it was chosen, µs since the epoch: earlier spans may still come. */
  readonly startUs: number;
}

export interface TraceViewState extends Pick<View, 'folded' | 'opened'> {
  readonly activeKey: string;
  readonly target: ScrollTarget | undefined;
  /** Undefined: all of the time. */
  readonly chosen: ChosenWindow | undefined;
}

/** What an event is about: the trace, and what of it is shown. */
export interface TraceScene {
  readonly index: IndexedTrace;
  readonly visible: readonly VisibleRow[];
  /** The row whose subtree is all that is shown, -1 for none. */
  readonly focus: number;
  /** Of the address: the span whose details are open. */
  readonly span: string | undefined;
  readonly bounds: TimeWindow;
  /** Rows that match the search, in order; undefined while nothing is searched for. */
  readonly hits: readonly number[] | undefined;
}

export type TraceViewEvent =
  | WaterfallAction
  /** Shows the rows and moves to the first of them. */
  | { readonly kind: 'go'; readonly rows: readonly number[]; readonly takeFocus: boolean }
  /** To the next hit, or while nothing is searched for to the next trouble. */
  | { readonly kind: 'step'; readonly backwards: boolean }
  /** -1 for the whole trace. */
  | { readonly kind: 'focus'; readonly row: number }
  | { readonly kind: 'fold-beyond'; readonly level: number }
  | { readonly kind: 'close-details' }
  | { readonly kind: 'window'; readonly window: TimeWindow | undefined }
  | { readonly kind: 'zoom'; readonly factor: number }
  | { readonly kind: 'pan'; readonly share: number };

export interface Outcome {
  readonly state: TraceViewState;
  /** Changes of the address, but for the window, which follows a moment later. */
  readonly address?: TraceSearch;
}

export function initialTraceView(index: IndexedTrace, search: TraceSearch): TraceViewState {
  const window = parseWindow(search.t);
  return {
    folded: new Set(),
    opened: new Set(),
    activeKey: '',
    target: undefined,
    chosen: window && { ...window, startUs: index.trace.startUs },
  };
}

/** The row that takes part in tabbing. */
export const activeOf = (visible: readonly VisibleRow[], activeKey: string): VisibleRow | undefined =>
  visible.find(({ key }) => key === activeKey) ?? visible[0];

export function reduceTraceView(scene: TraceScene, state: TraceViewState, event: TraceViewEvent): Outcome {
  const { index, visible, focus, bounds } = scene;
  switch (event.kind) {
    case 'go':
      return goTo(scene, state, event.rows, event.takeFocus);
    case 'step':
      return stepOn(scene, state, event.backwards);
    case 'focus':
      return focusOn(scene, state, event.row);
    case 'fold-beyond':
      return { state: { ...state, folded: foldedBeyond(index, event.level, focus), opened: new Set() } };
    case 'close-details': {
      const active = activeOf(visible, state.activeKey);
      return {
        state: active ? { ...state, target: { key: active.key, focus: true } } : state,
        address: { span: undefined },
      };
    }
    case 'window':
      return { state: { ...state, chosen: chosenOf(scene, event.window) } };
    case 'zoom':
      return { state: { ...state, chosen: chosenOf(scene, zoomed(windowOf(scene, state), bounds, event.factor)) } };
    case 'pan':
      return { state: { ...state, chosen: chosenOf(scene, panned(windowOf(scene, state), bounds, event.share)) } };
    default:
      return actOn(scene, state, event);
  }
}

function actOn({ index, visible }: TraceScene, state: TraceViewState, { kind, at }: WaterfallAction): Outcome {
  const { rows, keys } = index;
  const row = visible[at];
  if (!row) return { state };
  const key = keys[row.row] ?? '';
  switch (kind) {
    case 'open':
      return { state: { ...state, activeKey: key }, address: { span: rows[row.row]?.id } };
    case 'stand':
      return { state: { ...state, activeKey: row.key } };
    case 'activate':
      return { state: { ...state, activeKey: row.key, target: { key: row.key, focus: true } } };
    case 'toggle': {
      if (row.expanded === undefined) return { state };
      const name = row.run ? 'opened' : 'folded';
      const next = new Set(state[name]);
      if (!next.delete(key)) next.add(key);
      return { state: { ...state, [name]: next, activeKey: row.key } };
    }
    case 'unfold-siblings': {
      const folded = new Set(state.folded);
      for (const each of visible)
        if (!each.run && rows[each.row]?.parent === rows[row.row]?.parent) folded.delete(keys[each.row] ?? '');
      return { state: { ...state, folded } };
    }
  }
}

function goTo(
  { index, focus, span }: TraceScene,
  state: TraceViewState,
  wanted: readonly number[],
  takeFocus: boolean,
): Outcome {
  const first = index.rows[wanted[0] ?? -1];
  if (!first) return { state };
  let view: View = { ...state, focus };
  for (const row of wanted) view = revealed(index, view, row);
  const key = index.keys[wanted[0] ?? -1] ?? '';
  const isElsewhere = view.focus !== focus;
  const details = span !== undefined && takeFocus ? first.id : span;
  return {
    state: {
      folded: view.folded,
      opened: view.opened,
      activeKey: key,
      target: { key, focus: takeFocus },
      chosen: isElsewhere ? undefined : state.chosen,
    },
    ...((isElsewhere || details !== span) && {
      address: { span: details, ...(isElsewhere && { focus: undefined }) },
    }),
  };
}

function stepOn(scene: TraceScene, state: TraceViewState, backwards: boolean): Outcome {
  const { index, visible, hits } = scene;
  const active = activeOf(visible, state.activeKey);
  const row = active?.row ?? -1;
  if (hits) {
    const isAtHit = hits.includes(row) && !active?.run;
    const next = nextOf(hits, isAtHit || backwards ? row : row - 1, backwards);
    return goTo(scene, state, next === undefined ? [] : [next], true);
  }
  const troubles = troublesOf(index);
  const at = troubles.indexOf(row);
  const next = backwards ? (at <= 0 ? troubles.length : at) - 1 : (at + 1) % Math.max(1, troubles.length);
  return goTo(scene, state, troubles.slice(next, next + 1), true);
}

function focusOn({ index, focus }: TraceScene, state: TraceViewState, row: number): Outcome {
  const { rows, keys } = index;
  const key = keys[row];
  const address = { focus: rows[row]?.id };
  if (key === undefined)
    return { state: { ...state, chosen: undefined, target: { key: keys[focus] ?? '', focus: true } }, address };
  const folded = new Set(state.folded);
  folded.delete(key);
  return { state: { ...state, folded, chosen: undefined, activeKey: key, target: { key, focus: true } }, address };
}

function chosenOf({ index, bounds }: TraceScene, window: TimeWindow | undefined): ChosenWindow | undefined {
  const isPart = window && (window.fromUs > bounds.fromUs || window.untilUs < bounds.untilUs);
  return isPart ? { ...window, startUs: index.trace.startUs } : undefined;
}

/** What the rows show: what was chosen, moved where the trace begins earlier since, or all of it. */
export function windowOf(
  { index, bounds }: Pick<TraceScene, 'index' | 'bounds'>,
  { chosen }: Pick<TraceViewState, 'chosen'>,
): TimeWindow {
  if (!chosen) return bounds;
  const moved = chosen.startUs - index.trace.startUs;
  return within({ fromUs: chosen.fromUs + moved, untilUs: chosen.untilUs + moved }, bounds);
}

/** All of the subtree's time, or of the trace's. */
export function boundsOf({ rows, trace }: IndexedTrace, focus: number): TimeWindow {
  const top = rows[focus];
  if (!top) return { fromUs: 0, untilUs: Math.max(1, trace.durationUs) };
  let fromUs = top.offsetUs;
  let untilUs = top.offsetUs + 1;
  for (let at = focus; at <= focus + top.below; at++) {
    const row = rows[at];
    if (!row) break;
    fromUs = Math.min(fromUs, row.offsetUs);
    untilUs = Math.max(untilUs, row.offsetUs + row.durationUs);
  }
  return { fromUs, untilUs };
}

/** Where something went wrong: errors, then failed spans, then problems. */
export function troublesOf({ rows, trace }: IndexedTrace): number[] {
  const withErrors: number[] = [];
  const failed: number[] = [];
  rows.forEach((row, at) => {
    if (row.errors) withErrors.push(at);
    else if (row.failed) failed.push(at);
  });
  const problems = trace.problems.flatMap(({ offenders, causes }) => offenders[0] ?? causes[0] ?? []);
  return [...new Set([...withErrors, ...failed, ...problems])];
}

/** Rows of a problem and their part in it; none for an index that is none. */
export function markedOf({ trace }: IndexedTrace, problem: number): ReadonlyMap<number, 'offender' | 'cause'> {
  const found = trace.problems[problem];
  const roles = new Map<number, 'offender' | 'cause'>();
  for (const row of found?.causes ?? []) roles.set(row, 'cause');
  for (const row of found?.offenders ?? []) roles.set(row, 'offender');
  return roles;
}
