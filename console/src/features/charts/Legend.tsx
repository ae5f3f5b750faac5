import { Stroke, type Look } from './Stroke.tsx';
import styles from './ChartFrame.module.css';

/** What one series, or a threshold, is; and what it is at a column. */
export interface LegendEntry extends Look {
  readonly label: string;
  readonly isData?: boolean | undefined;
  readonly words: (column: number) => string;
  /** The longest that it says: there is always room for that. */
  readonly widest: string;
}

interface Props {
  readonly entries: readonly LegendEntry[];
  /** When, or of which range, a column is; the last of them stands for the room that it takes. */
  readonly when: (column: number) => string;
  readonly columns: number;
  readonly pointed: number | undefined;
  /** One series that the title names: its value alone. */
  readonly bare?: boolean;
}

/** What the series are; pointed at, what they are there. Unseen, it always has the room for that. */
export function Legend({ entries, when, columns, pointed, bare = false }: Props) {
  return (
    <div className={styles.readout} data-bare={bare || undefined} aria-hidden="true">
      {[columns ? columns - 1 : undefined, pointed].map((column, index) => (
        <div key={index} className={styles.line} data-reserved={index === 0 || undefined}>
          {entries.map(({ label, isData, token, shape, dash, words, widest }) => (
            <span key={label} className={styles.entry}>
              {!bare && (
                <>
                  <Stroke token={token} shape={shape} dash={dash} />
                  <span className={styles.name} translate={isData ? 'no' : undefined}>
                    {label}
                  </span>
                </>
              )}
              {column !== undefined && (
                <b style={{ '--widest': `${widest.length}ch` }}>{index === 0 ? widest : words(column)}</b>
              )}
            </span>
          ))}
          {column !== undefined && <span className={styles.when}>{when(column)}</span>}
        </div>
      ))}
    </div>
  );
}

/** The longest text over all columns. */
export function widestOf(columns: number, words: (column: number) => string): string {
  let widest = '–';
  for (let column = 0; column < columns; column += 1) {
    const text = words(column);
    if (text.length > widest.length) widest = text;
  }
  return widest;
}
