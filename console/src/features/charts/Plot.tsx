import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode, type Ref } from 'react';
import * as m from '../../messages/charts.ts';
import { Axes } from './Axes.tsx';
import type { Tick } from './scales.ts';
import { chosenColumns, columnUnder, draggedColumns, readingAfter, type Columns } from './selection.ts';
import type { ChartToken } from './series.ts';
import styles from './Plot.module.css';

/** A line across, with its name where there is room for one. Places are shares from 0 to 1, from the left or the top. */
export interface Rule {
  readonly place: number;
  readonly label?: string;
  readonly token?: ChartToken;
  readonly dash?: readonly number[];
}

export interface Dot {
  readonly place: number;
  readonly token: ChartToken;
}

export interface PlotProps {
  /** Of the chart; what is read by keys is named after it. */
  readonly title: string;
  /** Columns of one width: buckets of time, of durations. */
  readonly columns: number;
  /** Whether a value stands at the start of its column, as points of a line do, or fills it. */
  readonly reads: 'points' | 'columns';
  /** px */
  readonly height: number;
  readonly axis?: number | undefined;
  readonly edge?: number | undefined;
  readonly room?: number;
  readonly valueTicks: readonly Tick[];
  readonly columnTicks: readonly Tick[];
  /** The plane, and how wide it is, px: `useWidth`. */
  readonly area: Ref<HTMLDivElement>;
  readonly width: number;
  readonly pointed: number | undefined;
  readonly onPoint: (column: number | undefined) => void;
  /** The column in words. */
  readonly words: (column: number) => string;
  /** A part was drawn, or chosen by keys. */
  readonly onSelect?: ((columns: Columns) => void) | undefined;
  /** One column may be chosen by a click. */
  readonly clickSelects?: boolean;
  /** A part that is marked; shares of the width. */
  readonly band?: { readonly from: number; readonly until: number } | undefined;
  readonly across?: readonly Rule[];
  readonly down?: readonly Rule[];
  /** Values of the column that is pointed at. */
  readonly dots?: readonly Dot[];
  readonly beside?: ReactNode;
  /** Links that stand on the plot. */
  readonly over?: ReactNode;
  /** What is drawn. */
  readonly children: ReactNode;
}

/** px that a pointer moves before it draws a part. */
const leastDrag = 4;

/** The plane of a chart: what is drawn, what lies across it, and how it is read and chosen from. */
export function Plot({
  title,
  columns,
  reads,
  height,
  axis,
  edge,
  room = 0,
  valueTicks,
  columnTicks,
  area,
  width,
  pointed,
  onPoint,
  words,
  onSelect,
  clickSelects = false,
  band,
  across = [],
  down = [],
  dots = [],
  beside,
  over,
  children,
}: PlotProps) {
  const hint = useId();
  const [drag, setDrag] = useState<{ readonly begun: number; readonly ended: number }>();
  const [anchor, setAnchor] = useState<number>();

  const shareAt = ({ clientX, currentTarget }: PointerEvent): number => {
    const box = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (clientX - box.left) / Math.max(1, box.width)));
  };
  const point = (share: number): void =>
    onPoint(columns ? columnUnder(reads === 'points' ? share + 0.5 / columns : share, columns) : undefined);
  const partOf = ({ begun, ended }: { readonly begun: number; readonly ended: number }): Columns | undefined =>
    clickSelects || Math.abs(ended - begun) * width >= leastDrag ? draggedColumns(begun, ended, columns) : undefined;
  const selected = drag ? partOf(drag) : pointed === undefined ? undefined : chosenColumns({ column: pointed, anchor });
  const share = (column: number): string => `${(column / Math.max(1, columns)) * 100}%`;

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = readingAfter(pointed === undefined ? undefined : { column: pointed, anchor }, event, columns);
    if (next) {
      onPoint(next.column);
      setAnchor(onSelect && next.anchor);
    } else if (event.key === 'Enter' && selected) {
      onSelect?.(selected);
      setAnchor(undefined);
    } else if (event.key === 'Escape' && (drag || pointed !== undefined)) {
      setDrag(undefined);
      setAnchor(undefined);
      if (anchor === undefined) onPoint(undefined);
    } else return;
    event.preventDefault();
    // On some pages Escape leads back.
    event.stopPropagation();
  };

  return (
    <Axes
      height={height}
      valueTicks={valueTicks}
      columnTicks={columnTicks}
      width={width}
      axis={axis}
      edge={edge}
      over={room}
      area={area}
      beside={beside}
    >
      {band && (
        <i className={styles.band} style={{ left: `${band.from * 100}%`, right: `${(1 - band.until) * 100}%` }} />
      )}
      {pointed !== undefined && reads === 'columns' && (
        <i className={styles.column} style={{ left: share(pointed), width: share(1) }} />
      )}
      {width > 0 && children}
      {across.map((rule) => (
        <Line key={rule.label} rule={rule} />
      ))}
      {down.map((rule, index) => (
        <i
          key={index}
          className={styles.down}
          style={{ left: `${rule.place * 100}%` }}
          data-end={rule.place > 0.85 || undefined}
        >
          {rule.label && <span>{rule.label}</span>}
        </i>
      ))}
      {pointed !== undefined && reads === 'points' && (
        <i className={styles.crosshair} style={{ left: share(pointed) }}>
          {dots.map(({ place, token }, index) => (
            <i key={index} style={{ top: `${place * 100}%`, background: `var(${token})` }} />
          ))}
        </i>
      )}
      {selected && (
        <i
          className={styles.selected}
          style={{ left: share(selected[0]), width: share(selected[1] + 1 - selected[0]) }}
        />
      )}
      <div
        role="slider"
        tabIndex={0}
        className={styles.reader}
        data-plot=""
        data-selects={onSelect ? '' : undefined}
        aria-label={m.reader({ title })}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, columns - 1)}
        aria-valuenow={pointed ?? Math.max(0, columns - 1)}
        aria-valuetext={columns ? words(pointed ?? columns - 1) : m.noData}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setAnchor(undefined);
          onPoint(undefined);
        }}
        onPointerDown={(event) => {
          setAnchor(undefined);
          point(shareAt(event));
          if (event.button !== 0 || !onSelect || !columns) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ begun: shareAt(event), ended: shareAt(event) });
        }}
        onPointerMove={(event) => {
          if (anchor === undefined) point(shareAt(event));
          if (drag) setDrag({ ...drag, ended: shareAt(event) });
        }}
        onPointerUp={(event) => {
          if (!drag) return;
          setDrag(undefined);
          const part = partOf({ ...drag, ended: shareAt(event) });
          if (part) onSelect?.(part);
        }}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={(event) => {
          // A finger that was lifted has left what it read.
          if (event.pointerType !== 'touch' && anchor === undefined) onPoint(undefined);
        }}
      />
      <span id={hint} hidden>
        {onSelect ? m.selectKeys : m.readKeys}
      </span>
      {over}
    </Axes>
  );
}

function Line({ rule: { place, token = '--text-faint', dash } }: { readonly rule: Rule }) {
  return (
    <svg className={styles.across} style={{ top: `${place * 100}%` }} height="2" aria-hidden="true">
      <line
        x1="0"
        x2="100%"
        y1="1"
        y2="1"
        stroke={`var(${token})`}
        strokeWidth="1.5"
        strokeDasharray={dash?.join(' ')}
      />
    </svg>
  );
}
