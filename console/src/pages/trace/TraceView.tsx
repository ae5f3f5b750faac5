import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useCommand } from '../../features/commands/commands.ts';
import { indexTrace } from '../../features/waterfall/index-trace.ts';
import { Minimap } from '../../features/waterfall/Minimap.tsx';
import type { Waterfall as Trace } from '../../features/waterfall/queries.ts';
import { SpanPanel } from '../../features/waterfall/SpanPanel.tsx';
import { useNarrow } from '../../features/waterfall/use-narrow.ts';
import type { TraceSearch } from '../../features/waterfall/trace-view.ts';
import { useTraceView } from '../../features/waterfall/use-trace-view.ts';
import { Waterfall } from '../../features/waterfall/Waterfall.tsx';
import * as m from '../../messages/trace.ts';
import { copyText } from '../../ui/copy.ts';
import { Notice } from '../../ui/Notice.tsx';
import { LogsPanel } from './LogsPanel.tsx';
import { FocusPath } from './FocusPath.tsx';
import { ProblemBanner } from './ProblemBanner.tsx';
import { TraceHeader } from './TraceHeader.tsx';
import { TraceNotes } from './TraceNotes.tsx';
import { searchBoxId, TraceTools } from './TraceTools.tsx';
import styles from './TracePage.module.css';

const route = getRouteApi('/shell/traces/$trace');

/** The waterfall with everything around it. */
export function TraceView({
  trace,
  arriving,
}: {
  readonly trace: Trace;
  /** Spans may still come. */
  readonly arriving: boolean;
}) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = useNarrow();
  const index = useMemo(() => indexTrace(trace), [trace]);
  const patch = useCallback(
    (change: TraceSearch) =>
      void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false }),
    [navigate],
  );
  const view = useTraceView(index, search, patch);
  const showCritical = search.path !== 'off';
  const togglePath = (): void => patch({ path: showCritical ? 'off' : undefined });
  const { focus, selectedRow } = view;
  const top = index.rows[focus];
  const focusHere = (): void => {
    const row = index.rows[view.activeRow];
    if (focus >= 0 && view.activeRow === focus) view.setFocus(-1);
    else if (row && row.below > 0) view.setFocus(view.activeRow);
  };
  const back = (): void => {
    if (search.span !== undefined) view.closeDetails();
    else if (search.panel) patch({ panel: undefined });
    else if (focus >= 0) view.setFocus(-1);
    else if (search.q) patch({ q: undefined });
    else view.setWindow(undefined);
  };

  useCommand('trace.search', () => document.querySelector<HTMLInputElement>(`#${searchBoxId}`)?.select());
  useCommand('trace.next', () => view.step(false));
  useCommand('trace.previous', () => view.step(true));
  useCommand('trace.zoom-in', () => view.zoom(0.6));
  useCommand('trace.zoom-out', () => view.zoom(1 / 0.6));
  useCommand('trace.pan-left', () => view.pan(-0.2));
  useCommand('trace.pan-right', () => view.pan(0.2));
  useCommand('trace.critical-path', togglePath);
  useCommand('trace.focus', focusHere);
  useCommand('trace.back', back);
  useCommand('trace.copy-link', () => void copyText(location.href, m.linkCopied));

  const problem = trace.problems[view.problem];
  const missing = selectedRow < 0 ? search.span : undefined;
  return (
    <div className={styles.page}>
      <TraceHeader index={index} arriving={arriving} onShow={view.goTo} />
      {problem && (
        <div className={styles.inset}>
          <ProblemBanner problem={problem} onClose={() => patch({ problem: undefined })} />
        </div>
      )}
      {missing !== undefined && (
        <div className={styles.inset}>
          <Notice tone="warning" says="status">
            {trace.left > 0 ? m.spanNotShown({ id: missing }) : m.spanNotReceived({ id: missing })}
          </Notice>
        </div>
      )}
      <TraceNotes index={index} onShow={view.goTo} />
      <TraceTools
        query={search.q ?? ''}
        found={view.hits ? view.hitRows.length : undefined}
        at={view.hitNumber}
        logs={trace.logs.length + trace.logsLeft}
        showLogs={search.panel === 'logs'}
        showCritical={showCritical}
        zoomed={view.window !== view.bounds}
        onQuery={(q) => patch({ q: q || undefined })}
        onStep={view.step}
        onTogglePath={togglePath}
        onToggleLogs={() => patch({ panel: search.panel ? undefined : 'logs', span: undefined })}
        onFoldBeyond={view.foldBeyond}
        onShowAll={() => view.setWindow(undefined)}
      />
      <Minimap
        index={index}
        first={top ? focus : 0}
        end={top ? focus + top.below + 1 : index.rows.length}
        bounds={view.bounds}
        window={view.window}
        onWindow={view.setWindow}
      />
      {top && <FocusPath index={index} focus={focus} onFocus={view.setFocus} />}
      <div className={styles.split}>
        <Waterfall
          key={narrow ? 'narrow' : 'wide'}
          index={index}
          visible={view.visible}
          window={view.window}
          originUs={view.bounds.fromUs}
          activeKey={view.activeKey}
          selectedRow={selectedRow}
          hits={view.hits}
          currentHit={view.hitNumber ? view.activeRow : undefined}
          fresh={view.fresh}
          showCritical={showCritical}
          marked={view.marked}
          target={view.target}
          narrow={narrow}
          onAction={view.onAction}
        />
        {selectedRow >= 0 ? (
          <SpanPanel
            key={index.keys[selectedRow]}
            index={index}
            row={selectedRow}
            narrow={narrow}
            onClose={view.closeDetails}
            onFocus={() => view.setFocus(selectedRow)}
            onShow={view.goTo}
          />
        ) : (
          search.panel === 'logs' && (
            <LogsPanel trace={trace} onShow={view.goTo} onClose={() => patch({ panel: undefined })} />
          )
        )}
      </div>
    </div>
  );
}
