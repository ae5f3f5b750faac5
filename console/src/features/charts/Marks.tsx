import { Link } from '@tanstack/react-router';
import * as m from '../../messages/charts.ts';
import { isAtEdge, marksLabel, placeMarks, type ChartMark } from './marks.ts';
import type { TimeSpan } from './series.ts';
import styles from './Marks.module.css';

interface Props {
  readonly marks: readonly ChartMark[];
  readonly span: TimeSpan;
  /** px of the plot. */
  readonly width: number;
}

/** Links to the releases that were deployed, at their times. */
export function Marks({ marks, span, width }: Props) {
  return (
    <ul className={styles.marks} aria-label={m.releases}>
      {placeMarks(marks, span, width).map((placed) => {
        const [mark] = placed.marks;
        const detail = placed.marks.map((each) => each.detail).join('\n');
        return (
          <li key={placed.x} data-edge={isAtEdge(placed, width) || undefined} style={{ left: placed.x }}>
            <Link
              to="/releases/$version"
              params={{ version: mark?.version ?? '' }}
              className={styles.mark}
              data-tip={detail}
              aria-label={detail}
            >
              <span translate={placed.marks.length === 1 ? 'no' : undefined}>{marksLabel(placed)}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
