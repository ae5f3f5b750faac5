import type { Waterfall } from '../../features/waterfall/queries.ts';
import { PageBar } from '../../ui/Page.tsx';
import { LogsOf } from './LogsPanel.tsx';
import styles from './TracePage.module.css';

/** Errors and logs of a trace that was not sampled: SDKs send those always. */
export function SpanlessTrace({ trace }: { readonly trace: Waterfall }) {
  return (
    <>
      <PageBar title={`Trace ${trace.traceId.slice(0, 8)}`} />
      <div className={styles.spanless}>
        <p>
          No span of this trace is stored: it was not sampled, its spans are older than the retention time, or they are
          still on their way. These are its errors and logs.
        </p>
        <LogsOf trace={trace} />
      </div>
    </>
  );
}
