import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import * as m from '../../messages/minimap.ts';
import { cx } from '../../ui/cx.ts';
import { duration } from '../../ui/durations.ts';
import { onThemeChange, readTokens } from '../../ui/read-tokens.ts';
import { pointAt } from './crosshair.ts';
import type { IndexedTrace } from './index-trace.ts';
import { cellRuns, minimapCells } from './minimap.ts';
import { categories, tokenOf } from './ops.ts';
import { panned, place, type TimeWindow, widthOf, within } from './scale.ts';
import { Pointed } from './TimeAxis.tsx';
import { useWidth } from '../charts/use-width.ts';
import styles from './Minimap.module.css';

const height = 56;
const maxLanes = 28;
const thickestLane = 6;
const markHeight = 6;

const readColours = () => readTokens([...categories.map(tokenOf), '--level-error']);

type Handle = 'fromUs' | 'untilUs';
type Drag =
  | { readonly kind: 'select'; readonly startUs: number }
  | { readonly kind: 'handle'; readonly handle: Handle }
  | { readonly kind: 'move'; readonly startUs: number; readonly window: TimeWindow };

/** All spans at a glance. Dragging chooses the time that the rows show, as do the two handles. */
export function Minimap({
  index,
  first,
  end,
  bounds,
  window,
  onWindow,
}: {
  readonly index: IndexedTrace;
  /** The rows that are drawn. */
  readonly first: number;
  readonly end: number;
  readonly bounds: TimeWindow;
  readonly window: TimeWindow;
  /** Undefined for all of it. */
  readonly onWindow: (window: TimeWindow | undefined) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const [frame, width] = useWidth();
  const [tokens, setTokens] = useState(readColours);
  useEffect(() => onThemeChange(() => setTokens(readColours())), []);

  useEffect(() => {
    if (width === 0) return undefined;
    const draw = (): void => {
      const context = canvas.current?.getContext('2d');
      if (context) drawSpans(context, { index, first, end, bounds, width, tokens });
    };
    // What is read are the rows: they are painted before every span is looked at.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => (timer = setTimeout(draw)));
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [index, first, end, bounds, width, tokens]);

  const timeAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)));
    return bounds.fromUs + share * widthOf(bounds);
  };
  const start = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    const handle = (event.target as HTMLElement).dataset['handle'] as Handle | undefined;
    const startUs = timeAt(event);
    if (handle) drag.current = { kind: 'handle', handle };
    else if (event.shiftKey) drag.current = { kind: 'move', startUs, window };
    else drag.current = { kind: 'select', startUs };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    pointAt(Math.round(timeAt(event)));
    const current = drag.current;
    if (!current) return;
    const us = timeAt(event);
    if (current.kind === 'handle') onWindow(withHandle(window, bounds, current.handle, us));
    else if (current.kind === 'move')
      onWindow(panned(current.window, bounds, (us - current.startUs) / widthOf(current.window)));
    else if (Math.abs(us - current.startUs) > widthOf(bounds) / 200)
      onWindow(within({ fromUs: Math.min(us, current.startUs), untilUs: Math.max(us, current.startUs) }, bounds));
  };
  const stop = (): void => {
    drag.current = undefined;
  };
  const onKey = (handle: Handle) => (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    const step = widthOf(bounds) / 100;
    if (by) onWindow(withHandle(window, bounds, handle, window[handle] + by * step));
    else if (event.key === 'Home') onWindow(withHandle(window, bounds, handle, bounds.fromUs));
    else if (event.key === 'End') onWindow(withHandle(window, bounds, handle, bounds.untilUs));
    else return;
    event.preventDefault();
  };

  const shown = place(bounds, window.fromUs, window.untilUs - window.fromUs);
  const whole = window.fromUs <= bounds.fromUs && window.untilUs >= bounds.untilUs;
  const shares = { '--from': `${shown.left * 100}%`, '--until': `${(shown.left + shown.width) * 100}%` };
  const slider = (handle: Handle, label: string) => (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={bounds.fromUs}
      aria-valuemax={bounds.untilUs}
      aria-valuenow={window[handle]}
      aria-valuetext={duration(window[handle])}
      className={cx(styles.handle, handle === 'fromUs' ? styles.left : styles.right)}
      data-handle={handle}
      onKeyDown={onKey(handle)}
    />
  );
  return (
    <fieldset className={styles.minimap} aria-label={m.timeShown}>
      <div
        ref={frame}
        className={styles.frame}
        style={{ ...shares, height }}
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={stop}
        onPointerCancel={stop}
        onPointerLeave={() => pointAt(undefined)}
        onDoubleClick={() => onWindow(undefined)}
        role="presentation"
      >
        <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />
        {!whole && <div className={cx(styles.shade, styles.before)} />}
        {!whole && <div className={cx(styles.shade, styles.after)} />}
        <Pointed window={bounds} originUs={bounds.fromUs} className={styles.pointed} />
        {slider('fromUs', m.startShown)}
        {slider('untilUs', m.endShown)}
      </div>
    </fieldset>
  );
}

interface Drawing {
  readonly index: IndexedTrace;
  readonly first: number;
  readonly end: number;
  readonly bounds: TimeWindow;
  readonly width: number;
  readonly tokens: ReturnType<typeof readColours>;
}

function drawSpans(context: CanvasRenderingContext2D, { index, first, end, bounds, width, tokens }: Drawing): void {
  const cells = minimapCells(index.rows, { first, end }, bounds, { columns: Math.max(1, width), lanes: maxLanes });
  const ratio = devicePixelRatio || 1;
  context.canvas.width = width * ratio;
  context.canvas.height = height * ratio;
  context.scale(ratio, ratio);
  const lane = Math.min(thickestLane, (height - markHeight) / cells.lanes);
  for (const run of cellRuns(cells)) {
    context.fillStyle = run.kind === 'failed' ? tokens['--level-error'] : tokens[tokenOf(run.kind)];
    context.fillRect(
      run.from,
      markHeight + run.lane * lane,
      run.until - run.from,
      Math.max(1, lane - (lane > 3 ? 1 : 0)),
    );
  }
  context.fillStyle = tokens['--level-error'];
  for (const { row, offsetUs } of index.trace.errors) {
    if (row >= 0 && (row < first || row >= end)) continue;
    const at = place(bounds, offsetUs, 0);
    if (!at.outside) context.fillRect(Math.min(width - 3, at.left * width - 1), 0, 3, markHeight - 2);
  }
}

function withHandle(window: TimeWindow, bounds: TimeWindow, handle: Handle, us: number): TimeWindow {
  const least = Math.max(1, widthOf(bounds) / 1000);
  return handle === 'fromUs'
    ? within({ fromUs: Math.max(bounds.fromUs, Math.min(us, window.untilUs - least)), untilUs: window.untilUs }, bounds)
    : within({ fromUs: window.fromUs, untilUs: Math.min(bounds.untilUs, Math.max(us, window.fromUs + least)) }, bounds);
}
