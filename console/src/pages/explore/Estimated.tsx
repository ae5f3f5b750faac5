import type { DataSet } from '../../features/explore/data-sets.ts';
import { estimateSentence } from '../../features/explore/estimate.ts';
import type { EstimateState } from '../../features/explore/use-estimated.ts';
import * as m from '../../messages/explore.ts';
import { Button } from '../../ui/Button.tsx';
import { describeError } from '../../ui/State.tsx';
import styles from './Estimated.module.css';

/** Next to an answer: that it is estimated, from how much, and the state of the exact one. */
export function Estimated({
  estimates,
  wasEstimated,
  dataSet,
}: {
  /** Of all that the page shows. */
  readonly estimates: readonly EstimateState[];
  /** All of it took the place of estimates. */
  readonly wasEstimated: boolean;
  readonly dataSet: DataSet;
}) {
  const [first] = estimates;
  if (!first)
    return wasEstimated ? (
      <output className={styles.mark} data-tip={m.exactHint[dataSet]}>
        {m.exact}
      </output>
    ) : null;
  const share = Math.min(...estimates.map((one) => one.share));
  const ended = estimates.filter(({ exact }) => exact !== 'running');
  const failed = ended.find(({ exact }) => exact === 'failed');
  return (
    <output className={styles.mark} data-estimated="">
      <span data-tip={ended.length ? m.confidence : m.exactPending}>{estimateSentence(share, dataSet)}</span>
      {!ended.length && (
        <>
          <i className={styles.dot} aria-hidden="true" />
          <span className="visually-hidden">{m.exactInProgress}</span>
        </>
      )}
      {failed && <span className={styles.failed}>{m.noExact({ reason: describeError(failed.error).message })}</span>}
      {ended.length > 0 && (
        <Button size="small" onClick={() => ended.forEach(({ retry }) => retry())}>
          {failed ? m.retry : m.getExact}
        </Button>
      )}
    </output>
  );
}
