import { Fragment } from 'react';
import { ancestorsOf, type IndexedTrace } from '../../features/waterfall/index-trace.ts';
import { nameOf } from '../../features/waterfall/ops.ts';
import * as m from '../../messages/trace.ts';
import { Button } from '../../ui/Button.tsx';
import { CloseIcon } from '../../ui/icons.ts';
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
    <nav className={styles.path} aria-label={m.subtree}>
      <Button size="small" variant="ghost" onClick={() => onFocus(-1)}>
        {m.wholeTrace}
      </Button>
      {above.map((each) => (
        <Fragment key={each}>
          <span aria-hidden="true">/</span>
          <Button size="small" variant="ghost" className={styles.step} onClick={() => onFocus(each)}>
            <span translate="no">{index.rows[each] && nameOf(index.rows[each])}</span>
          </Button>
        </Fragment>
      ))}
      <span aria-hidden="true">/</span>
      <strong className={styles.here} translate="no">
        {row && nameOf(row)}
      </strong>
      <Button
        size="small"
        icon={<CloseIcon size={14} />}
        aria-label={m.showWholeTrace}
        tip="f"
        onClick={() => onFocus(-1)}
      />
    </nav>
  );
}
