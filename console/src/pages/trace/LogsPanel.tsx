import { lazy, Suspense } from 'react';
import type { Waterfall } from '../../features/waterfall/queries.ts';
import * as m from '../../messages/trace.ts';
import { SidePanel } from '../../ui/SidePanel.tsx';
import { Skeleton } from '../../ui/State.tsx';
import styles from './TracePage.module.css';

const TraceLogs = lazy(() =>
  import('../../features/trace-logs/TraceLogs.tsx').then((module) => ({ default: module.TraceLogs })),
);

/** What the trace wrote, beside its rows. */
export function LogsPanel({
  trace,
  onShow,
  onClose,
}: {
  readonly trace: Waterfall;
  readonly onShow: (row: number) => void;
  readonly onClose: () => void;
}) {
  return (
    <SidePanel wide label={m.logsOfTrace} title={m.logs} close={m.closeLogs} onClose={onClose}>
      <LogsOf trace={trace} onShow={onShow} />
    </SidePanel>
  );
}

export function LogsOf({ trace, onShow }: { readonly trace: Waterfall; readonly onShow?: (row: number) => void }) {
  return (
    <Suspense
      fallback={
        <div className={styles.inset}>
          <Skeleton rows={8} height={29} label={m.loadingLogs} />
        </div>
      }
    >
      <TraceLogs trace={trace} onSpan={onShow} />
    </Suspense>
  );
}
