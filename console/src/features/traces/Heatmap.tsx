import { useId, useRef, useState, type PointerEvent } from 'react';
import { localTime } from '../../ui/relative-time.ts';
import { cellAt, boxOf, durationTicks, regionBetween, startOf, timeTicks, type Point, type Region } from './heatmap.ts';
import { HeatmapCanvas } from './HeatmapCanvas.tsx';
import { HeatmapTable } from './HeatmapTable.tsx';
import type { TraceHeatmap } from './queries.ts';
import { RegionForm } from './RegionForm.tsx';
import { clockTime } from './times.ts';
import { timeTickLabels } from '../../ui/time-ticks.ts';
import { useWidth } from '../waterfall/use-width.ts';
import { durationWords, heatmapSentence, milliseconds, requestWords } from './words.ts';
import styles from './Heatmap.module.css';

const height = 168;
const tickWidth = 88;

/** Requests over time and duration. Dragging over it chooses a part of both; the form does the same without a pointer. */
export function Heatmap({
  heatmap,
  region,
  onRegion,
}: {
  readonly heatmap: TraceHeatmap;
  readonly region: Region;
  /** Undefined: all again. */
  readonly onRegion: (region: Region | undefined) => void;
}) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [drag, setDrag] = useState<{ readonly begun: Point; readonly ended: Point }>();
  const [pointed, setPointed] = useState<Point>();
  const [table, setTable] = useState(false);

  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const box = frame.current?.getBoundingClientRect();
    return box
      ? { x: (clientX - box.left) / Math.max(1, box.width), y: (clientY - box.top) / Math.max(1, box.height) }
      : { x: 0, y: 0 };
  };
  const shown = drag ? regionBetween(drag.begun, drag.ended, heatmap) : region;
  const box = shown && boxOf(shown, heatmap);
  const offset = -new Date(heatmap.from * 1000).getTimezoneOffset() * 60;
  const ticks = timeTicks(heatmap, offset, Math.max(2, Math.floor(width / tickWidth)));
  const tickLabels = timeTickLabels(ticks.map(({ value }) => value));
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <span id={id} className={styles.sentence}>
          {heatmapSentence(heatmap)}
        </span>
        <span className={styles.readout} aria-hidden="true">
          {!table && pointed && wordsAt(pointed, heatmap)}
        </span>
        <RegionForm region={region} heatmap={heatmap} onRegion={onRegion} />
        <button type="button" className={styles.toggle} aria-expanded={table} onClick={() => setTable(!table)}>
          {table ? 'View as heatmap' : 'View as table'}
        </button>
      </figcaption>
      {table ? (
        <HeatmapTable heatmap={heatmap} />
      ) : (
        <div className={styles.plot}>
          <div className={styles.durations} aria-hidden="true">
            {durationTicks(heatmap).map(({ value, place }) => (
              <span key={value} style={{ insetBlockStart: `${place * 100}%` }}>
                {milliseconds(value)}
              </span>
            ))}
          </div>
          <div
            ref={frame}
            className={styles.frame}
            style={{ height }}
            data-heatmap=""
            aria-hidden="true"
            onPointerDown={(event) => {
              if (event.button !== 0 || !heatmap.rows.length) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              setDrag({ begun: pointOf(event), ended: pointOf(event) });
            }}
            onPointerMove={(event) => {
              setPointed(pointOf(event));
              if (drag) setDrag({ ...drag, ended: pointOf(event) });
            }}
            onPointerUp={(event) => {
              if (!drag) return;
              setDrag(undefined);
              const chosen = regionBetween(drag.begun, pointOf(event), heatmap);
              if (chosen) onRegion(chosen);
            }}
            onPointerCancel={() => setDrag(undefined)}
            onPointerLeave={() => setPointed(undefined)}
          >
            <HeatmapCanvas heatmap={heatmap} width={width} height={height} />
            {box && (
              <div
                className={styles.region}
                style={{
                  insetInline: `${box.left * 100}% ${(1 - box.right) * 100}%`,
                  insetBlock: `${box.top * 100}% ${(1 - box.bottom) * 100}%`,
                }}
              />
            )}
          </div>
          <div className={styles.times} aria-hidden="true">
            {ticks.map(({ value, place }, index) => (
              <span key={value} data-edge={place > 0.95 || undefined} style={{ insetInlineStart: `${place * 100}%` }}>
                {tickLabels[index]}
              </span>
            ))}
          </div>
        </div>
      )}
    </figure>
  );
}

function wordsAt(point: Point, heatmap: TraceHeatmap): string {
  const [column, row] = cellAt(point, heatmap) ?? [0, 0];
  const span = heatmap.rows[row];
  if (!span) return '';
  const cell = heatmap.cells.find(([x, y]) => x === column && y === row);
  const from = startOf(heatmap, column);
  const when =
    heatmap.columnSeconds >= 86_400
      ? localTime(from * 1000)
      : `${clockTime(from)} – ${clockTime(from + heatmap.columnSeconds)}`;
  return `${when}, ${durationWords(span)}: ${requestWords(cell?.[2] ?? 0, cell?.[3] ?? 0)}`;
}
