import { CloseIcon } from '../../ui/icons.ts';
import { Fragment } from 'react';
import { ancestorsOf, type IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { nameOf } from '../../features/waterfall/ops.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './TracePage.module.css';

/** The nearest levels are named; the others are left out. */
const maxNamed = 4;

/** Where the subtree that is shown hangs, and the way back. */
export function FocusPath({
  index,
  focus,
  onFocus,
}: {
  readonly index: IndexedTrace;
  readonly focus: number;
  /** -1 for the whole trace. */
  readonly onFocus: (row: number) => void;
}) {
  const above = ancestorsOf(index, focus).slice(0, maxNamed).toReversed();
  const row = index.rows[focus];
  return (
    <nav className={styles.path} aria-label="Subtree shown">
      <Button size="small" variant="ghost" onClick={() => onFocus(-1)}>
        Whole trace
      </Button>
      {above.map((each) => (
        <Fragment key={each}>
          <span aria-hidden="true">/</span>
          <Button size="small" variant="ghost" className={styles.step} onClick={() => onFocus(each)}>
            <span>{index.rows[each] && nameOf(index.rows[each])}</span>
          </Button>
        </Fragment>
      ))}
      <span aria-hidden="true">/</span>
      <strong className={styles.here}>{row && nameOf(row)}</strong>
      <Button
        size="small"
        icon={<CloseIcon size={14} />}
        aria-label="Show the whole trace"
        tip="f"
        onClick={() => onFocus(-1)}
      />
    </nav>
  );
}
