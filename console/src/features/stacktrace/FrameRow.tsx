import { FoldedIcon, ExternalIcon, UnfoldedIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useId } from 'react';
import type { Frame } from '../event/types.ts';
import { cx } from '../../ui/cx.ts';
import { frameFunction, frameLocation, looksMinified } from './frames.ts';
import { minifiedOf, unresolvedOf, type UnresolvedCode } from './mapped.ts';
import { SourceBlock } from './SourceBlock.tsx';
import styles from './stacktrace.module.css';

// Few SDKs send them.
const Variables = lazy(() => import('./Variables.tsx').then((module) => ({ default: module.Variables })));

/** In the place of the word "minified", where it is known why. The page says above what mends it. */
const unresolvedWords: Readonly<Record<UnresolvedCode, string>> = {
  no_artifact: 'minified, not uploaded',
  no_map: 'minified, no source map',
  map_invalid: 'minified, unusable source map',
  no_mapping: 'minified, not in its source map',
  no_source: 'no source text',
  no_position: 'no line and column',
};

/** One call: where and in what; open with its source and local variables. */
export function FrameRow({
  frame,
  index,
  platform,
  open,
  onToggle,
}: {
  readonly frame: Frame;
  readonly index: number;
  readonly platform: string | null;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const id = useId();
  const vars = Object.entries(frame.vars ?? {});
  const minified = minifiedOf(frame);
  const unresolved = unresolvedOf(frame);
  const hasMore = frame.context.length > 0 || vars.length > 0 || minified !== undefined;
  const location = frameLocation(frame);
  const head = (
    <>
      <span className={styles.where}>
        <span className={styles.function}>{frameFunction(frame)}</span>
        <span className={styles.in}> in </span>
        <FilePath path={location} />
      </span>
      {unresolved ? (
        <span className={cx(styles.minified, styles.unresolved)}>{unresolvedWords[unresolved.code]}</span>
      ) : (
        looksMinified(frame) && <span className={styles.minified}>minified</span>
      )}
      {!frame.inApp && <span className={styles.library}>library</span>}
    </>
  );
  return (
    <li
      className={cx(styles.frame, frame.inApp && styles.inApp, open && hasMore && styles.openFrame)}
      data-frame={index}
    >
      <div className={styles.frameLine}>
        {hasMore ? (
          <button
            type="button"
            className={styles.frameHead}
            aria-expanded={open}
            aria-controls={id}
            onClick={onToggle}
            title={frame.absPath ?? undefined}
          >
            {open ? <UnfoldedIcon size={14} /> : <FoldedIcon size={14} />}
            {head}
          </button>
        ) : (
          <div className={styles.frameHead} title={frame.absPath ?? undefined}>
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
            aria-label={`Open ${location} in the repository`}
            data-tip="Open in the repository"
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
              <Variables vars={vars} />
            </Suspense>
          )}
          {minified && (
            <details className={styles.before}>
              <summary>minified</summary>
              <code>
                {minified.function || '<anonymous>'} in {minified.location}
                {minified.map && `, mapped by ${minified.map}`}
              </code>
            </details>
          )}
        </div>
      )}
    </li>
  );
}

/** Directory faint, file strong: the eye finds the file. The host of a script is in the tip and in the raw text. */
function FilePath({ path: whole }: { readonly path: string }) {
  const path = whole.replace(/^[a-z][\w+.-]*:\/\/[^/]*\/(?=.)/i, '');
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className={styles.path}>
      <span className={styles.directory}>{path.slice(0, cut)}</span>
      <span className={styles.file}>{path.slice(cut)}</span>
    </span>
  );
}
