import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import * as m from '../../messages/waterfall.ts';
import { cx } from '../../ui/cx.ts';
import { NameResizer, readNameWidth } from './NameResizer.tsx';
import type { IndexedTrace } from './index-trace.ts';
import { Row } from './Row.tsx';
import { drawnRows, useSpanRows } from './rows-in-sight.ts';
import { stepOf, type VisibleRow } from './rows.ts';
import type { TimeWindow } from './scale.ts';
import { TickLines, TimeAxis } from './TimeAxis.tsx';
import { useWidth } from '../charts/use-width.ts';
import styles from './Waterfall.module.css';

const headerHeight = 28;
/** Room that a moment of the axis needs. */
const tickPx = 84;

/** What the reader did. Rows by their place among what is visible. */
export type WaterfallAction =
  | { readonly kind: 'activate' | 'open' | 'toggle'; readonly at: number }
  | { readonly kind: 'unfold-siblings'; readonly at: number }
  /** The focus came to a row by other ways than our keys. */
  | { readonly kind: 'stand'; readonly at: number };

/** A row to be brought into sight; another object each time. */
export interface ScrollTarget {
  readonly key: string;
  /** It gets the keyboard's focus too. */
  readonly focus: boolean;
}

export interface WaterfallProps {
  readonly index: IndexedTrace;
  readonly visible: readonly VisibleRow[];
  readonly window: TimeWindow;
  /** Moments are counted from here. */
  readonly originUs: number;
  readonly activeKey: string;
  readonly selectedRow: number;
  /** Undefined while nothing is searched for. */
  readonly hits: ReadonlySet<number> | undefined;
  /** The hit that the reader stands at. */
  readonly currentHit: number | undefined;
  readonly fresh: ReadonlySet<string>;
  readonly showCritical: boolean;
  /** Of the problem that the page was opened for: its rows and their part in it. */
  readonly marked: ReadonlyMap<number, 'offender' | 'cause'>;
  readonly target: ScrollTarget | undefined;
  /** Names above their bars; another `key` where it changes, since rows have another height then. */
  readonly narrow: boolean;
  readonly onAction: (action: WaterfallAction) => void;
}

/** The rows of a trace as a tree grid with one tab stop. */
export function Waterfall(props: WaterfallProps) {
  const { visible, window, originUs, activeKey, hits, narrow, onAction } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const height = narrow ? 48 : 28;
  const [nameWidth, setNameWidth] = useState(readNameWidth);
  const active = useMemo(
    () =>
      Math.max(
        0,
        visible.findIndex(({ key }) => key === activeKey),
      ),
    [visible, activeKey],
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'row') return;
    const at = Number(event.target.dataset['at']);
    if (event.key === 'Enter' || event.key === ' ') onAction({ kind: visible[at]?.run ? 'toggle' : 'open', at });
    else if (event.key === '*') onAction({ kind: 'unfold-siblings', at });
    else {
      const page = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headerHeight) / height) - 1);
      const step = stepOf(visible, at, event.key, page);
      if (!step) return;
      onAction(step.kind === 'move' ? { kind: 'activate', at: step.to } : { kind: 'toggle', at: step.at });
    }
    event.preventDefault();
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    if (!(event.target instanceof Element) || event.target.closest('a')) return;
    const row = event.target.closest<HTMLElement>('[data-at]');
    // Who selects text does not want the row.
    if (!row || getSelection()?.type === 'Range') return;
    const at = Number(row.dataset['at']);
    onAction({ kind: event.target.closest('[data-toggle]') || visible[at]?.run ? 'toggle' : 'open', at });
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const { key, at } = event.target.dataset;
    if (key !== undefined && key !== activeKey) onAction({ kind: 'stand', at: Number(at) });
  };

  const [axis, axisWidth] = useWidth();
  const most = Math.max(2, Math.floor(axisWidth / tickPx));
  return (
    <div
      ref={scroller}
      role="treegrid"
      tabIndex={-1}
      aria-label={m.spans}
      aria-rowcount={visible.length + 1}
      aria-colcount={3}
      className={cx(styles.grid, hits && styles.searching)}
      style={{ '--names': `${nameWidth}px`, '--row-height': `${height}px` }}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={onFocus}
    >
      <div role="row" aria-rowindex={1} className={styles.header}>
        <div role="columnheader" className={styles.nameHeader}>
          {m.span}
          {!narrow && <NameResizer width={nameWidth} onWidth={setNameWidth} />}
        </div>
        <div role="columnheader" className={styles.durationHeader}>
          {m.duration}
        </div>
        <div ref={axis} role="columnheader" className={styles.axisHeader}>
          <span className="visually-hidden">{m.time}</span>
          <TimeAxis window={window} originUs={originUs} most={most} />
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: visible.length * height }}>
        <TickLines window={window} originUs={originUs} most={most} />
        <Rows {...props} scroller={scroller} active={active} height={height} />
      </div>
    </div>
  );
}

/** Apart, so that scrolling draws nothing but rows. */
function Rows({
  index,
  visible,
  window,
  hits,
  target,
  scroller,
  active,
  height,
  ...props
}: WaterfallProps & {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Place of the row that takes part in tabbing. */
  readonly active: number;
  readonly height: number;
}) {
  const { sight, show } = useSpanRows(scroller, height, headerHeight);
  useAnchor(scroller, index, visible, height);
  const shownTarget = useRef<ScrollTarget | undefined>(undefined);
  useEffect(() => {
    if (!target || target === shownTarget.current) return;
    const at = visible.findIndex(({ key }) => key === target.key);
    if (at < 0) return;
    shownTarget.current = target;
    show(at);
    if (target.focus)
      scroller.current
        ?.querySelector<HTMLElement>(`[data-key="${CSS.escape(target.key)}"]`)
        ?.focus({ preventScroll: true });
  }, [target, visible, show, scroller]);
  return drawnRows(sight, visible.length, active).map((at) => {
    const row = visible[at];
    return (
      row && (
        <Row
          key={row.key}
          index={index}
          visible={row}
          at={at}
          top={at * height}
          window={window}
          active={at === active}
          selected={!row.run && row.row === props.selectedRow}
          dim={hits !== undefined && !isHit(row, hits)}
          hit={props.currentHit !== undefined && !row.run && row.row === props.currentHit}
          fresh={props.fresh.has(row.key)}
          showCritical={props.showCritical}
          marked={row.run ? undefined : props.marked.get(row.row)}
        />
      )
    );
  });
}

function isHit({ row, run }: VisibleRow, hits: ReadonlySet<number>): boolean {
  if (!run) return hits.has(row);
  for (let member = row; member < row + run; member++) if (hits.has(member)) return true;
  return false;
}

/** When spans arrive, the first row in sight stays where it is. */
function useAnchor(
  scroller: RefObject<HTMLElement | null>,
  index: IndexedTrace,
  visible: readonly VisibleRow[],
  height: number,
): void {
  const before = useRef({ index, visible });
  useLayoutEffect(() => {
    const { index: last, visible: lastVisible } = before.current;
    before.current = { index, visible };
    const element = scroller.current;
    if (!element || last === index || element.scrollTop === 0) return;
    const at = Math.floor(element.scrollTop / height);
    const key = lastVisible[at]?.key;
    const now = visible.findIndex((row) => row.key === key);
    if (now >= 0 && now !== at) element.scrollBy(0, (now - at) * height);
  }, [scroller, index, visible, height]);
}
