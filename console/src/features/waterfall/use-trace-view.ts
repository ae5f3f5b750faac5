/** What of a trace is shown and where the reader stands in it. What a link should bring back is in the address. */
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { type IndexedTrace, rowOfSpan } from './index-trace.ts';
import { foldedBeyond, revealed, type View, visibleRows } from './rows.ts';
import { formatWindow, panned, parseWindow, type TimeWindow, within, zoomed } from './scale.ts';
import { findRows, nextOf } from './search.ts';
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

/** Rows that are unfolded for a problem; the others stay in their runs. */
const maxRevealed = 100;
const freshMs = 3000;
const addressAfterMs = 300;

interface ChosenWindow extends TimeWindow {
  /** The trace's start when it was chosen, µs since the epoch: earlier spans may still come. */
  readonly startUs: number;
}

export function useTraceView(index: IndexedTrace, search: TraceSearch, patch: (change: TraceSearch) => void) {
  const { rows, keys, trace } = index;
  const [folds, setFolds] = useState<Pick<View, 'folded' | 'opened'>>({ folded: new Set(), opened: new Set() });
  const [activeKey, setActiveKey] = useState('');
  const [target, setTarget] = useState<ScrollTarget | undefined>(undefined);
  const focus = useMemo(() => rowOfSpan(index, search.focus), [index, search.focus]);
  const visible = useMemo(() => visibleRows(index, { ...folds, focus }), [index, folds, focus]);
  const active = visible.find(({ key }) => key === activeKey) ?? visible[0];
  const activeRow = active?.row ?? -1;
  const selectedRow = useMemo(() => rowOfSpan(index, search.span), [index, search.span]);

  const bounds = useMemo(() => boundsOf(index, focus), [index, focus]);
  const [chosen, setChosen] = useChosenWindow(search.t, trace.startUs, patch);
  const window = useMemo(() => {
    if (!chosen) return bounds;
    const moved = chosen.startUs - trace.startUs;
    return within({ fromUs: chosen.fromUs + moved, untilUs: chosen.untilUs + moved }, bounds);
  }, [chosen, bounds, trace.startUs]);
  const setWindow = (next: TimeWindow | undefined): void =>
    setChosen(next && (next.fromUs > bounds.fromUs || next.untilUs < bounds.untilUs) ? next : undefined);

  const query = useDeferredValue(search.q ?? '');
  const hitRows = useMemo(() => findRows(rows, query), [rows, query]);
  const hits = useMemo(() => (query.trim() === '' ? undefined : new Set(hitRows)), [query, hitRows]);
  const isAtHit = hits?.has(activeRow) === true && !active?.run;

  const problem = trace.problems.findIndex(({ eventId }) => eventId === search.problem);
  const marked = useMemo(() => {
    const found = trace.problems[problem];
    const roles = new Map<number, 'offender' | 'cause'>();
    for (const row of found?.causes ?? []) roles.set(row, 'cause');
    for (const row of found?.offenders ?? []) roles.set(row, 'offender');
    return roles;
  }, [trace, problem]);

  /** Makes rows visible and stands at the first of them. */
  const goTo = (wanted: readonly number[], takeFocus = true): void => {
    const [first] = wanted;
    if (first === undefined || !rows[first]) return;
    let view: View = { ...folds, focus };
    for (const row of wanted) view = revealed(index, view, row);
    setFolds(view);
    const key = keys[first] ?? '';
    setActiveKey(key);
    setTarget({ key, focus: takeFocus });
    const isElsewhere = view.focus !== focus;
    if (isElsewhere) setChosen(undefined);
    const details = search.span !== undefined && takeFocus ? rows[first]?.id : search.span;
    if (isElsewhere || details !== search.span) patch({ span: details, ...(isElsewhere && { focus: undefined }) });
  };
  // A link to a span or a problem shows it once it is there; that rows move while spans come takes nobody back to it.
  const showNamed = useRef({ span: () => {}, problem: () => {} });
  useEffect(() => {
    showNamed.current = {
      span: () => goTo([selectedRow], false),
      problem: () => goTo([...marked.keys()].toSorted((a, b) => a - b).slice(0, maxRevealed), false),
    };
  });
  const span = selectedRow >= 0 ? search.span : undefined;
  useEffect(() => {
    if (span !== undefined) showNamed.current.span();
  }, [span]);
  const problemId = marked.size > 0 ? search.problem : undefined;
  useEffect(() => {
    if (problemId !== undefined) showNamed.current.problem();
  }, [problemId]);

  const open = (row: number): void => {
    setActiveKey(keys[row] ?? '');
    patch({ span: rows[row]?.id });
  };
  const toggle = (at: number): void => {
    const row = visible[at];
    if (row?.expanded === undefined) return;
    const name = row.run ? 'opened' : 'folded';
    const next = new Set(folds[name]);
    const key = keys[row.row] ?? '';
    if (!next.delete(key)) next.add(key);
    setFolds({ ...folds, [name]: next });
    setActiveKey(row.key);
  };
  const onAction = ({ kind, at }: WaterfallAction): void => {
    const row = visible[at];
    if (!row) return;
    if (kind === 'open') open(row.row);
    else if (kind === 'toggle') toggle(at);
    else if (kind === 'stand') setActiveKey(row.key);
    else if (kind === 'activate') {
      setActiveKey(row.key);
      setTarget({ key: row.key, focus: true });
    } else {
      const folded = new Set(folds.folded);
      for (const each of visible)
        if (!each.run && rows[each.row]?.parent === rows[row.row]?.parent) folded.delete(keys[each.row] ?? '');
      setFolds({ ...folds, folded });
    }
  };

  const troubles = useMemo(() => troublesOf(index), [index]);
  const step = (backwards: boolean): void => {
    if (hits) {
      const next = nextOf(hitRows, isAtHit || backwards ? activeRow : activeRow - 1, backwards);
      if (next !== undefined) goTo([next]);
      return;
    }
    const at = troubles.indexOf(activeRow);
    const next = backwards ? (at <= 0 ? troubles.length : at) - 1 : (at + 1) % Math.max(1, troubles.length);
    goTo(troubles.slice(next, next + 1));
  };

  const setFocus = (row: number): void => {
    const key = keys[row];
    setChosen(undefined);
    patch({ focus: rows[row]?.id });
    if (key === undefined) {
      setTarget({ key: keys[focus] ?? '', focus: true });
      return;
    }
    setFolds({ ...folds, folded: new Set([...folds.folded].filter((each) => each !== key)) });
    setActiveKey(key);
    setTarget({ key, focus: true });
  };

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
    setWindow,
    zoom: (factor: number) => setWindow(zoomed(window, bounds, factor)),
    pan: (share: number) => setWindow(panned(window, bounds, share)),
    goTo,
    open,
    onAction,
    step,
    setFocus,
    foldBeyond: (level: number) => setFolds({ folded: foldedBeyond(index, level, focus), opened: new Set() }),
    closeDetails: () => {
      patch({ span: undefined });
      if (active) setTarget({ key: active.key, focus: true });
    },
  };
}

/** All of the subtree's time, or of the trace's. */
function boundsOf({ rows, trace }: IndexedTrace, focus: number): TimeWindow {
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
function troublesOf({ rows, trace }: IndexedTrace): number[] {
  const withErrors: number[] = [];
  const failed: number[] = [];
  rows.forEach((row, at) => {
    if (row.errors) withErrors.push(at);
    else if (row.failed) failed.push(at);
  });
  const problems = trace.problems.flatMap(({ offenders, causes }) => offenders[0] ?? causes[0] ?? []);
  return [...new Set([...withErrors, ...failed, ...problems])];
}

/** Follows the pointer at once and the address a moment later. */
function useChosenWindow(
  windowText: string | undefined,
  startUs: number,
  patch: (change: TraceSearch) => void,
): [ChosenWindow | undefined, (window: TimeWindow | undefined) => void] {
  const read = (): ChosenWindow | undefined => {
    const window = parseWindow(windowText);
    return window && { ...window, startUs };
  };
  const [chosen, setChosen] = useState(read);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const latest = useRef(patch);
  useEffect(() => {
    latest.current = patch;
  });
  const choose = useCallback(
    (window: TimeWindow | undefined) => {
      setChosen(window && { ...window, startUs });
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current({ t: window && formatWindow(window) }), addressAfterMs);
    },
    [startUs],
  );
  return [chosen, choose];
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
