import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { Frame } from '../event/types.ts';
import { JsonValue } from '../event/JsonValue.tsx';
import { cx } from '../../ui/cx.ts';
import { frameFunction, frameLocation, looksMinified } from './frames.ts';
import { SourceBlock } from './SourceBlock.tsx';
import styles from './stacktrace.module.css';

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
  const hasMore = frame.context.length > 0 || vars.length > 0;
  const location = frameLocation(frame);
  const head = (
    <>
      <span className={styles.where}>
        <span className={styles.function}>{frameFunction(frame)}</span>
        <span className={styles.in}> in </span>
        <FilePath path={location} />
      </span>
      {looksMinified(frame) && <span className={styles.minified}>minified</span>}
      {!frame.inApp && <span className={styles.library}>library</span>}
    </>
  );
  return (
    <li
      className={cx(styles.frame, frame.inApp && styles.inApp, open && hasMore && styles.openFrame)}
      data-frame={index}
    >
      {hasMore ? (
        <button
          type="button"
          className={styles.frameHead}
          aria-expanded={open}
          aria-controls={id}
          onClick={onToggle}
          title={frame.absPath ?? undefined}
        >
          {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
          {head}
        </button>
      ) : (
        <div className={styles.frameHead} title={frame.absPath ?? undefined}>
          <span className={styles.noChevron} />
          {head}
        </div>
      )}
      {open && hasMore && (
        <div id={id}>
          {frame.context.length > 0 && <SourceBlock frame={frame} platform={platform} />}
          {vars.length > 0 && (
            <dl className={styles.vars} aria-label="Local variables">
              {vars.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <JsonValue value={value} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      )}
    </li>
  );
}

/** Directory faint, file strong: the eye finds the file. */
function FilePath({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className={styles.path}>
      <span className={styles.directory}>{path.slice(0, cut)}</span>
      <span className={styles.file}>{path.slice(cut)}</span>
    </span>
  );
}
