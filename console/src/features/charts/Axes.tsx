import type { CSSProperties, ReactNode, Ref } from 'react';
import type { Tick } from './scales.ts';
import styles from './Plot.module.css';

/** px beside the plot for the numbers of its axis; less where they are small counts. */
export const axisWidth = 52;
export const narrowAxis = 34;

/** px over and under the plot: half a number, and the times. */
export const axisRoom = 27;

/** px more over it for names of deploys, which would else hide what is drawn. */
export const markRoom = 16;

/** px on the right of it that is given up where there is little room. */
const wideEdge = 80;

interface Props {
  /** px of the area. */
  readonly height: number;
  readonly valueTicks: readonly Tick[];
  readonly columnTicks: readonly Tick[];
  /** px of the area, to keep labels within it; 0 before it is known. */
  readonly width: number;
  /** px on either side of it. */
  readonly axis?: number | undefined;
  readonly edge?: number | undefined;
  /** px over it, beside half a number. */
  readonly over?: number;
  readonly area: Ref<HTMLDivElement>;
  /** What stands on the right of it. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** The two axes of a chart, and the area between them. Numbers and times are for the eye: others have the sentence. */
export function Axes({
  height,
  valueTicks,
  columnTicks,
  width,
  axis = axisWidth,
  edge = 8,
  over = 0,
  area,
  beside,
  children,
}: Props) {
  const sizes: CSSProperties = {
    '--axis': `${axis}px`,
    '--edge': `${edge}px`,
    '--height': `${height}px`,
    '--over': `${over}px`,
  };
  return (
    // Time goes to the right, whichever way the words go.
    <div className={styles.plot} style={sizes} data-wide-edge={edge > wideEdge || undefined} dir="ltr">
      <div className={styles.values} aria-hidden="true">
        {valueTicks.map(({ value, place, label }) => (
          <span key={value} style={{ top: `${place * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
      <div ref={area} className={styles.area}>
        {valueTicks.map(({ value, place }) => (
          <i key={value} className={styles.grid} style={{ top: `${place * 100}%` }} />
        ))}
        {children}
      </div>
      <div className={styles.beside}>{beside}</div>
      <ColumnAxis ticks={columnTicks} width={width} />
    </div>
  );
}

/** px that half of a label takes. */
const halfLabel = 24;

export function ColumnAxis({ ticks, width }: { readonly ticks: readonly Tick[]; readonly width: number }) {
  const sideOf = (x: number): string | undefined =>
    x < halfLabel ? 'start' : x > width - halfLabel ? 'end' : undefined;
  return (
    <div className={styles.columns} aria-hidden="true">
      {width > 0 &&
        ticks.map(({ value, place, label }) => (
          <span key={value} data-side={sideOf(place * width)} style={{ left: `${place * 100}%` }}>
            {label}
          </span>
        ))}
    </div>
  );
}
