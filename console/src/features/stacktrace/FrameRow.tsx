import { FoldedIcon, ExternalIcon, UnfoldedIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useId } from 'react';
import * as m from '../../messages/stacktrace.ts';
import type { Frame } from '../event/types.ts';
import { cx } from '../../ui/cx.ts';
import { Mark } from './FrameMark.tsx';
import { type FrameNames, looksMinified } from './frames.ts';
import { SourceBlock } from './SourceBlock.tsx';
import styles from './stacktrace.module.css';

const AsSent = lazy(() => import('./Mapping.tsx').then((module) => ({ default: module.AsSent })));
const Unresolved = lazy(() => import('./Mapping.tsx').then((module) => ({ default: module.Unresolved })));
// Few SDKs send them.
const Variables = lazy(() => import('./Variables.tsx').then((module) => ({ default: module.Variables })));

/** One call: where and in what; open with its source and local variables. */
export function FrameRow({
  frame,
  index,
  platform,
  names,
  open,
  onToggle,
}: {
  readonly frame: Frame;
  readonly index: number;
  readonly platform: string | null;
  readonly names: FrameNames;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const id = useId();
  const vars = Object.entries(frame.vars ?? {});
  const isMapped = frame.data?.['raw'] !== undefined;
  const hasMore = frame.context.length > 0 || vars.length > 0 || isMapped;
  const Fold = open ? UnfoldedIcon : FoldedIcon;
  const location = names.whereOf(frame, platform);
  const { scope, name } = names.nameOf(frame, platform);
  const called = (
    <span translate="no">
      {scope}
      <span className={styles.function}>{name}</span>
    </span>
  );
  const head = (
    <>
      <span className={styles.where}>
        {location
          ? m.where({ function: called, file: <FilePath path={location} whole={frame.absPath ?? undefined} /> })
          : called}
      </span>
      {frame.data?.['unresolved'] ? (
        <Suspense>
          <Unresolved frame={frame} />
        </Suspense>
      ) : (
        looksMinified(frame) && <Mark>{m.minified}</Mark>
      )}
      {!frame.inApp && <Mark>{m.library}</Mark>}
    </>
  );
  return (
    <li
      className={cx(styles.frame, frame.inApp && styles.inApp, open && hasMore && styles.openFrame)}
      data-frame={index}
    >
      <div className={styles.frameLine}>
        {hasMore ? (
          <button type="button" className={styles.frameHead} aria-expanded={open} aria-controls={id} onClick={onToggle}>
            <Fold size={14} />
            {head}
          </button>
        ) : (
          <div className={styles.frameHead}>
            <span className={styles.noChevron} />
            {head}
          </div>
        )}
        {frame.sourceLink && (
          <a
            className={styles.repository}
            href={frame.sourceLink}
            target="_blank"
            rel="noreferrer"
            aria-label={m.openFile({ place: location })}
            data-tip={m.openInRepository}
          >
            <ExternalIcon size={14} />
          </a>
        )}
      </div>
      {open && hasMore && (
        <div id={id}>
          {frame.context.length > 0 && <SourceBlock frame={frame} platform={platform} />}
          {vars.length > 0 && (
            <Suspense fallback={<div style={{ minHeight: 18 + 20 * vars.length }} />}>
              <Variables frame={frame} />
            </Suspense>
          )}
          {isMapped && (
            <Suspense fallback={<div style={{ minHeight: 31 }} />}>
              <AsSent frame={frame} />
            </Suspense>
          )}
        </div>
      )}
    </li>
  );
}

/** Directory faint, file strong: the eye finds the file. The host of a script is in the tip and in the raw text. */
function FilePath({ path: from, whole }: { readonly path: string; readonly whole: string | undefined }) {
  const path = from.replace(/^[a-z][\w+.-]*:\/\/[^/]*\/(?=.)/i, '');
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span title={whole} translate="no">
      {path.slice(0, cut)}
      <span className={styles.file}>{path.slice(cut)}</span>
    </span>
  );
}
