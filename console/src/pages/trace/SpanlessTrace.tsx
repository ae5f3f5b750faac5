import type { Waterfall } from '../../features/waterfall/queries.ts';
import * as m from '../../messages/trace.ts';
import { Notice } from '../../ui/Notice.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { LogsOf } from './LogsPanel.tsx';
import styles from './TracePage.module.css';

/** Errors and logs of a trace that was not sampled: SDKs send those always. */
export function SpanlessTrace({ trace }: { readonly trace: Waterfall }) {
  return (
    <div className={styles.page}>
      <PageBar title={m.title({ id: trace.traceId.slice(0, 8) })} />
      <div className={styles.inset}>
        <Notice>{m.spanless}</Notice>
      </div>
      <LogsOf trace={trace} />
    </div>
  );
}
