import { useId, useRef, useState, type PointerEvent } from 'react';
import { Button } from '../../ui/Button.tsx';
import { exactNumber, percent, plural } from '../../ui/numbers.ts';
import {
  axisTicks,
  countWithin,
  draggedRange,
  drawnBars,
  placeOf,
  type HistogramBar,
  type Range,
} from './histogram.ts';
import styles from './Histogram.module.css';
import { milliseconds } from './words.ts';

interface Props {
  readonly bars: readonly HistogramBar[];
  readonly picked: Range | undefined;
  /** Durations that are marked. */
  readonly lines: readonly { readonly label: string; readonly ms: number }[];
  /** A range was drawn or typed; undefined: all again. */
  readonly onPick: (range: Range | undefined) => void;
}

const height = 110;

/** Durations by octaves. Dragging over it picks a range; the two fields do the same without a pointer. */
export function Histogram({ bars, picked, lines, onPick }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ begun: number; ended: number }>();
  const dragged = drag && draggedRange(drag.begun, drag.ended, bars);
  const shown = dragged ?? picked;
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const place = ({ clientX }: PointerEvent): number => {
    const rect = box.current?.getBoundingClientRect();
    return rect ? (clientX - rect.left) / Math.max(1, rect.width) : 0;
  };
  const peak = bars.reduce<HistogramBar | undefined>(
    (best, bar) => (bar.count > (best?.count ?? 0) ? bar : best),
    undefined,
  );
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption id={id} className="visually-hidden">
        {peak
          ? `${plural(total, 'transaction')}, most of them, ${exactNumber(peak.count)}, between ${milliseconds(peak.fromMs)} and ${milliseconds(peak.untilMs)}`
          : 'No transactions'}
      </figcaption>
      <div className={styles.lines} aria-hidden="true">
        {lines.map(({ label, ms }) => {
          const at = placeOf(ms, bars);
          return (
            <span key={label} data-edge={at > 0.9 || undefined} style={{ insetInlineStart: `${at * 100}%` }}>
              {label} {milliseconds(ms)}
            </span>
          );
        })}
      </div>
      <div
        ref={box}
        className={styles.plot}
        data-histogram=""
        aria-hidden="true"
        onPointerDown={(event) => {
          if (event.button !== 0 || !bars.length) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDrag({ begun: place(event), ended: place(event) });
        }}
        onPointerMove={(event) => drag && setDrag({ ...drag, ended: place(event) })}
        onPointerUp={(event) => {
          if (!drag) return;
          setDrag(undefined);
          onPick(draggedRange(drag.begun, place(event), bars));
        }}
        onPointerCancel={() => setDrag(undefined)}
      >
        <svg viewBox={`0 0 ${Math.max(1, bars.length)} ${height}`} preserveAspectRatio="none" height={height}>
          {drawnBars(bars, shown).map((bar, index) => (
            <g
              key={bar.fromMs}
              data-tip={`${milliseconds(bar.fromMs)} to ${milliseconds(bar.untilMs)}\n${plural(bar.count, 'transaction')}, ${percent(bar.count, total)}`}
            >
              <rect className={styles.hit} x={index} y="0" width="1" height={height} />
              <rect
                className={styles.bar}
                data-picked={bar.isPicked || undefined}
                x={index + 0.06}
                width="0.88"
                y={(1 - bar.height) * height}
                height={bar.height * height}
              />
            </g>
          ))}
        </svg>
        {lines.map(({ label, ms }) => (
          <i key={label} style={{ insetInlineStart: `${placeOf(ms, bars) * 100}%` }} />
        ))}
      </div>
      <div className={styles.axis} aria-hidden="true">
        {axisTicks(bars, 9).map(({ ms, place: at }) => (
          <span key={ms} style={{ insetInlineStart: `${at * 100}%` }}>
            {milliseconds(ms)}
          </span>
        ))}
      </div>
      <form
        key={`${picked?.from} ${picked?.until}`}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const [from, until] = [Number(data.get('from') || 0), Number(data.get('until') || bars.at(-1)?.untilMs)];
          if (from < until) onPick({ from, until });
        }}
      >
        <label>
          From{' '}
          <input
            name="from"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            defaultValue={picked && roundMs(picked.from)}
          />{' '}
          ms
        </label>
        <label>
          to{' '}
          <input
            name="until"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            defaultValue={picked && roundMs(picked.until)}
          />{' '}
          ms
        </label>
        <Button type="submit" size="small">
          Apply
        </Button>
        {picked ? (
          <>
            <output>
              {plural(countWithin(bars, picked), 'transaction')}, {percent(countWithin(bars, picked), total)}
            </output>
            <Button size="small" variant="ghost" onClick={() => onPick(undefined)}>
              Show all
            </Button>
          </>
        ) : (
          <span className={styles.hint}>or drag over the bars: what is below is then about those alone</span>
        )}
      </form>
    </figure>
  );
}

const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000;
