import type { Piece } from './bars.ts';
import type { ChartToken } from './series.ts';
import styles from './Plot.module.css';

interface Props {
  readonly pieces: readonly Piece[];
  readonly columns: number;
  /** By the series of a piece. */
  readonly tokens: readonly ChartToken[];
  /** Columns that step back. */
  readonly faded?: ((column: number) => boolean) | undefined;
}

/** Bars over the whole plot. */
export function Bars({ pieces, columns, tokens, faded }: Props) {
  return (
    <svg
      className={styles.painter}
      viewBox={`0 0 ${Math.max(1, columns)} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {pieces.map(({ series, column, left, width, bottom, height }) => (
        <rect
          key={`${column} ${series}`}
          x={column + left}
          y={1 - bottom - height}
          width={width}
          height={height}
          fill={`var(${tokens[series] ?? '--accent'})`}
          data-faded={faded?.(column) || undefined}
        />
      ))}
    </svg>
  );
}
