import { CloseIcon } from '../../ui/icons.ts';
import { lazy, Suspense } from 'react';
import type { Waterfall } from '../../features/waterfall/queries.ts';
import { IconButton } from '../../ui/Button.tsx';
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
    <aside className={styles.logs} aria-label="Logs of the trace">
      <header className={styles.logsHead}>
        <h2>Logs</h2>
        <IconButton size="small" label="Close the logs" icon={<CloseIcon size={16} />} onClick={onClose} />
      </header>
      <LogsOf trace={trace} onShow={onShow} />
    </aside>
  );
}

export function LogsOf({ trace, onShow }: { readonly trace: Waterfall; readonly onShow?: (row: number) => void }) {
  return (
    <Suspense fallback={<Skeleton rows={8} height={29} label="Loading logs" />}>
      <TraceLogs trace={trace} onSpan={onShow} />
    </Suspense>
  );
}
