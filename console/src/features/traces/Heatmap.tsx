import { useId, useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import * as m from '../../messages/charts.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { localTime } from '../../ui/relative-time.ts';
import { Axes, axisRoom } from '../charts/Axes.tsx';
import { ChartFrame } from '../charts/ChartFrame.tsx';
import { useCrosshair } from '../charts/crosshair.ts';
import { timeTicks } from '../charts/time-axis.ts';
import { useWidth } from '../charts/use-width.ts';
import { cellAfter, type CellReading, chosenRegion } from './cell-reading.ts';
import {
  boxOf,
  type Cell,
  cellAt,
  columnSums,
  durationTicks,
  regionBetween,
  spanOf,
  startOf,
  type Point,
  type Region,
} from './heatmap.ts';
import { HeatmapCanvas } from './HeatmapCanvas.tsx';
import type { TraceHeatmap } from './queries.ts';
import { RegionForm } from './RegionForm.tsx';
import { clockTime } from './times.ts';
import { durationWords, heatmapSentence, milliseconds, requestWords } from './words.ts';
import styles from './Heatmap.module.css';

/** px */
const height = 168;

/** Requests over time and duration. Dragging over it, or Shift with arrow keys, chooses a part of both; so does the form. */
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
  const [area, width] = useWidth();
  const span = useMemo(() => spanOf(heatmap), [heatmap]);
  const [column, point] = useCrosshair(span);
  const [row, setRow] = useState(0);
  const [drag, setDrag] = useState<{ readonly begun: Point; readonly ended: Point }>();
  const [anchor, setAnchor] = useState<Cell>();
  const hint = useId();
  const sums = useMemo(() => columnSums(heatmap), [heatmap]);

  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent): Point => {
    const box = currentTarget.getBoundingClientRect();
    return { x: (clientX - box.left) / Math.max(1, box.width), y: (clientY - box.top) / Math.max(1, box.height) };
  };
  const read = (event: PointerEvent): void => {
    const cell = cellAt(pointOf(event), heatmap);
    point(cell?.[0]);
    if (cell) setRow(cell[1]);
  };
  const words = (at: number): string => cellWords(at, row, heatmap);
  const reading: CellReading | undefined = column === undefined ? undefined : { cell: [column, row], anchor };
  const chosen = drag
    ? regionBetween(drag.begun, drag.ended, heatmap)
    : reading?.anchor && chosenRegion(reading, heatmap);
  const shown = chosen ?? region;
  const box = shown && boxOf(shown, heatmap);
  const stop = (): void => {
    setAnchor(undefined);
    point(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = cellAfter(reading, event, heatmap);
    if (next) {
      point(next.cell[0]);
      setRow(next.cell[1]);
      setAnchor(next.anchor);
    } else if (event.key === 'Enter' && reading) {
      onRegion(chosenRegion(reading, heatmap));
      setAnchor(undefined);
    } else if (event.key === 'Escape' && (drag || reading)) {
      setDrag(undefined);
      if (anchor) setAnchor(undefined);
      else stop();
    } else return;
    event.preventDefault();
    // On some pages Escape leads back.
    event.stopPropagation();
  };
  return (
    <ChartFrame
      title={m.requestsOverTime}
      untitled
      sentence={heatmapSentence(heatmap)}
      showSentence
      legend={[{ label: m.requests, token: '--accent', shape: 'bar', words, widest: widestCell(heatmap) }]}
      bare
      columns={heatmap.rows.length ? heatmap.columns : 0}
      when={(at) => whenWords(at, heatmap)}
      pointed={column}
      table={{
        rows: [...sums.keys()].toReversed(),
        columns: [
          { label: m.from, cell: (index) => localTime((sums[index]?.at ?? 0) * 1000) },
          { label: m.requests, cell: (index) => exactNumber(sums[index]?.count ?? 0) },
          { label: m.failed, cell: (index) => exactNumber(sums[index]?.failed ?? 0) },
          { label: m.mostTook, cell: (index) => (sums[index] ? durationWords(sums[index].usual) : '') },
          { label: m.longest, cell: (index) => (sums[index] ? durationWords(sums[index].longest) : '') },
        ],
      }}
      tools={<RegionForm region={region} heatmap={heatmap} onRegion={onRegion} />}
      height={height + axisRoom}
    >
      <Axes
        height={height}
        valueTicks={durationTicks(heatmap, milliseconds)}
        columnTicks={timeTicks(span, width)}
        width={width}
        area={area}
      >
        <div
          className={styles.cells}
          role="slider"
          tabIndex={0}
          data-heatmap=""
          aria-label={m.reader({ title: m.requestsOverTime })}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, heatmap.columns * heatmap.rows.length - 1)}
          aria-valuenow={column === undefined ? 0 : column * heatmap.rows.length + row}
          aria-valuetext={
            column === undefined
              ? heatmapSentence(heatmap)
              : m.reading({ when: whenWords(column, heatmap), values: words(column) })
          }
          aria-describedby={hint}
          onKeyDown={onKeyDown}
          onBlur={stop}
          onPointerDown={(event) => {
            setAnchor(undefined);
            if (event.button !== 0 || !heatmap.rows.length) return;
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag({ begun: pointOf(event), ended: pointOf(event) });
          }}
          onPointerMove={(event) => {
            if (!anchor) read(event);
            if (drag) setDrag({ ...drag, ended: pointOf(event) });
          }}
          onPointerUp={(event) => {
            if (!drag) return;
            setDrag(undefined);
            const chosen = regionBetween(drag.begun, pointOf(event), heatmap);
            if (chosen) onRegion(chosen);
          }}
          onPointerCancel={() => setDrag(undefined)}
          onPointerLeave={() => {
            if (!anchor) point(undefined);
          }}
        >
          <HeatmapCanvas heatmap={heatmap} width={width} height={height} />
          {column !== undefined && (
            <i
              className={styles.column}
              style={{ left: `${(column / heatmap.columns) * 100}%`, width: `${100 / heatmap.columns}%` }}
            />
          )}
          {box && (
            <div
              className={styles.region}
              style={{
                insetInline: `${box.left * 100}% ${(1 - box.right) * 100}%`,
                insetBlock: `${box.top * 100}% ${(1 - box.bottom) * 100}%`,
              }}
            />
          )}
          {column !== undefined && heatmap.rows.length > 0 && (
            <i
              className={styles.cell}
              style={{
                left: `${(column / heatmap.columns) * 100}%`,
                width: `${100 / heatmap.columns}%`,
                bottom: `${(row / heatmap.rows.length) * 100}%`,
                height: `${100 / heatmap.rows.length}%`,
              }}
            />
          )}
        </div>
        <span id={hint} hidden>
          {m.cellKeys}
        </span>
      </Axes>
    </ChartFrame>
  );
}

function whenWords(column: number, heatmap: TraceHeatmap): string {
  const from = startOf(heatmap, column);
  return heatmap.columnSeconds >= 86_400
    ? localTime(from * 1000)
    : `${clockTime(from)} – ${clockTime(from + heatmap.columnSeconds)}`;
}

function cellWords(column: number, row: number, heatmap: TraceHeatmap): string {
  const span = heatmap.rows[row];
  const cell = heatmap.cells.find(([x, y]) => x === column && y === row);
  return span ? `${durationWords(span)}: ${requestWords(cell?.[2] ?? 0, cell?.[3] ?? 0)}` : '';
}

/** Of the cell with the most requests, with the longest duration. */
function widestCell(heatmap: TraceHeatmap): string {
  const [, , count, failed] = heatmap.cells.reduce((most, cell) => (cell[2] > most[2] ? cell : most), [0, 0, 0, 0]);
  const longest = heatmap.rows.map((row) => durationWords(row)).reduce((a, b) => (b.length > a.length ? b : a), '');
  return `${longest}: ${requestWords(count, failed)}`;
}
