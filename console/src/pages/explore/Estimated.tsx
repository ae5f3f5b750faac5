import { estimateSentence } from '../../features/explore/estimate.ts';
import type { EstimateState } from '../../features/explore/use-estimated.ts';
import { Button } from '../../ui/Button.tsx';
import { describeError } from '../../ui/State.tsx';
import styles from './Estimated.module.css';

const sure = 'The exact value lies within the range shown 19 times in 20.';

/** Beside an answer: that it is estimated, from how much, and what became of the exact one. */
export function Estimated({
  estimates,
  wasEstimated,
  noun,
}: {
  /** Of all that the page shows. */
  readonly estimates: readonly EstimateState[];
  /** All of it took the place of estimates. */
  readonly wasEstimated: boolean;
  readonly noun: string;
}) {
  const [first] = estimates;
  if (!first)
    return wasEstimated ? (
      <output className={styles.mark} data-tip={`All ${noun}s were read; this replaces the estimate.`}>
        Exact
      </output>
    ) : null;
  const share = Math.min(...estimates.map((one) => one.share));
  const ended = estimates.filter(({ exact }) => exact !== 'under way');
  const failed = ended.find(({ exact }) => exact === 'failed');
  return (
    <output className={styles.mark} data-estimated="">
      <span data-tip={ended.length ? sure : `${sure} All ${noun}s are being read; that answer will stand here.`}>
        {estimateSentence(share, noun)}
      </span>
      {!ended.length && (
        <>
          <i className={styles.dot} aria-hidden="true" />
          <span className="visually-hidden">. All are being read.</span>
        </>
      )}
      {failed && <span className={styles.failed}>No exact answer: {describeError(failed.error).message}</span>}
      {ended.length > 0 && (
        <Button size="small" onClick={() => ended.forEach(({ retry }) => retry())}>
          {failed ? 'Retry' : 'Get exact answer'}
        </Button>
      )}
    </output>
  );
}
