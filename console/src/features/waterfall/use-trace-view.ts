/** The view of a trace, tied to the address. What happens to it is told by `reduceTraceView`. */
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import { type IndexedTrace, rowOfSpan } from './index-trace.ts';
import { visibleRows } from './rows.ts';
import { formatWindow, type TimeWindow } from './scale.ts';
import { findRows } from './search.ts';
import {
  activeOf,
  boundsOf,
  initialTraceView,
  markedOf,
  reduceTraceView,
  type TraceScene,
  type TraceSearch,
  type TraceViewEvent,
  type TraceViewState,
  windowOf,
} from './trace-view.ts';
import type { WaterfallAction } from './Waterfall.tsx';

/** Rows that are unfolded for a problem; the others stay in their runs. */
const maxRevealed = 100;
const freshMs = 3000;
const addressAfterMs = 300;

type Happened = readonly [scene: TraceScene, event: TraceViewEvent];
const reduce = (state: TraceViewState, [scene, event]: Happened): TraceViewState =>
  reduceTraceView(scene, state, event).state;

export function useTraceView(index: IndexedTrace, search: TraceSearch, patch: (change: TraceSearch) => void) {
  const [state, dispatch] = useReducer(reduce, undefined, () => initialTraceView(index, search));
  const { folded, opened, activeKey, target, chosen } = state;
  const focus = useMemo(() => rowOfSpan(index, search.focus), [index, search.focus]);
  const visible = useMemo(() => visibleRows(index, { folded, opened, focus }), [index, folded, opened, focus]);
  const bounds = useMemo(() => boundsOf(index, focus), [index, focus]);
  const window = useMemo(() => windowOf({ index, bounds }, { chosen }), [index, bounds, chosen]);
  const selectedRow = useMemo(() => rowOfSpan(index, search.span), [index, search.span]);
  const query = useDeferredValue(search.q ?? '');
  const hitRows = useMemo(() => findRows(index.rows, query), [index, query]);
  const hits = useMemo(() => (query.trim() === '' ? undefined : new Set(hitRows)), [query, hitRows]);
  const problem = index.trace.problems.findIndex(({ eventId }) => eventId === search.problem);
  const marked = useMemo(() => markedOf(index, problem), [index, problem]);

  const scene = { index, visible, focus, span: search.span, bounds, hits: hits && hitRows };
  const send = (event: TraceViewEvent): void => {
    dispatch([scene, event]);
    const { address } = reduceTraceView(scene, state, event);
    if (address) patch(address);
  };
  useWindowInAddress(chosen && formatWindow(chosen), patch);

  // A link to a span or a problem shows it once it is there; that rows move while spans come takes nobody back to it.
  const showRows = useEffectEvent((rows: readonly number[]) => send({ kind: 'go', rows, takeFocus: false }));
  const showSpan = useEffectEvent(() => showRows([selectedRow]));
  const showProblem = useEffectEvent(() =>
    showRows([...marked.keys()].toSorted((a, b) => a - b).slice(0, maxRevealed)),
  );
  const span = selectedRow >= 0 ? search.span : undefined;
  useEffect(() => {
    if (span !== undefined) showSpan();
  }, [span]);
  const problemId = marked.size > 0 ? search.problem : undefined;
  useEffect(() => {
    if (problemId !== undefined) showProblem();
  }, [problemId]);

  const active = activeOf(visible, activeKey);
  const activeRow = active?.row ?? -1;
  const isAtHit = hits?.has(activeRow) === true && !active?.run;
  return {
    visible,
    window,
    bounds,
    focus,
    activeKey: active?.key ?? '',
    activeRow,
    selectedRow,
    target,
    hits,
    hitRows,
    /** Where among the hits the reader stands, from 1; 0 elsewhere. */
    hitNumber: isAtHit ? hitRows.indexOf(activeRow) + 1 : 0,
    problem,
    marked,
    fresh: useFresh(index),
    setWindow: (next: TimeWindow | undefined) => send({ kind: 'window', window: next }),
    zoom: (factor: number) => send({ kind: 'zoom', factor }),
    pan: (share: number) => send({ kind: 'pan', share }),
    goTo: (row: number) => send({ kind: 'go', rows: [row], takeFocus: true }),
    onAction: (action: WaterfallAction) => send(action),
    step: (backwards: boolean) => send({ kind: 'step', backwards }),
    setFocus: (row: number) => send({ kind: 'focus', row }),
    foldBeyond: (level: number) => send({ kind: 'fold-beyond', level }),
    closeDetails: () => send({ kind: 'close-details' }),
  };
}

/** The rows follow the pointer at once, and the address a moment later. */
function useWindowInAddress(text: string | undefined, patch: (change: TraceSearch) => void): void {
  const known = useRef(text);
  const write = useEffectEvent(() => patch({ t: text }));
  useEffect(() => {
    if (text === known.current) return undefined;
    const timer = setTimeout(() => {
      known.current = text;
      write();
    }, addressAfterMs);
    return () => clearTimeout(timer);
  }, [text]);
}

const none: ReadonlySet<string> = new Set();

/** Keys of spans that came since the answer before, for a moment. */
function useFresh({ keys, rowOfKey, trace }: IndexedTrace): ReadonlySet<string> {
  const before = useRef<{ id: string; known: ReadonlyMap<string, number> } | undefined>(undefined);
  const [fresh, setFresh] = useState(none);
  useEffect(() => {
    const last = before.current;
    before.current = { id: trace.traceId, known: rowOfKey };
    if (!last || last.id !== trace.traceId || last.known === rowOfKey) return;
    const arrived = keys.filter((key) => !last.known.has(key));
    if (!arrived.length) return;
    setFresh(new Set(arrived));
    const timer = setTimeout(() => setFresh(none), freshMs);
    return () => clearTimeout(timer);
  }, [keys, rowOfKey, trace.traceId]);
  return fresh;
}
