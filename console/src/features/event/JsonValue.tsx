import { Fragment, type ReactNode } from 'react';
import * as m from '../../messages/event.ts';
import { Text as Small } from '../../ui/Text.tsx';
import code from '../../ui/code.module.css';
import styles from './JsonValue.module.css';

const deepest = 8;
const maxEntries = 100;
const longestText = 2000;

/** Any JSON value as text that wraps and folds: leaves in line, small lists at once, the rest behind a click. */
export function JsonValue({ value, renderMark, folded = false }: Props): ReactNode {
  return <Value value={value} renderMark={renderMark} folded={folded} path={root} />;
}

interface Props {
  readonly value: unknown;
  /** Drawn behind the value of a place; steps from the root. */
  readonly renderMark?: ((path: readonly string[]) => ReactNode) | undefined;
  /** From the start, all of it. */
  readonly folded?: boolean;
}

const root: readonly string[] = [];

function Value({ value, renderMark, folded = false, path }: Props & { readonly path: readonly string[] }): ReactNode {
  const mark = renderMark?.(path);
  if (typeof value !== 'object' || value === null)
    return (
      <>
        <Leaf value={value} />
        {mark}
      </>
    );
  const depth = path.length;
  const entries: [string, unknown][] = Object.entries(value);
  const isList = Array.isArray(value);
  if (entries.length === 0) return <span className={code.comment}>{isList ? '[]' : '{}'}</span>;
  if (depth >= deepest) return <span className={code.comment}>…</span>;
  return (
    <details className={styles.details} dir="ltr" open={depth === 0 && !folded}>
      <summary>{isList ? `[${entries.length}]` : `{${entries.length}}`}</summary>
      <div className={styles.entries}>
        {entries.slice(0, maxEntries).map(([key, each]) => (
          <Fragment key={key}>
            <span className={styles.key} translate="no">
              {key}
            </span>
            <span className={styles.value}>
              <Value value={each} renderMark={renderMark} path={[...path, key]} />
            </span>
          </Fragment>
        ))}
        {entries.length > maxEntries && <Small tone="faint">{m.more({ count: entries.length - maxEntries })}</Small>}
      </div>
    </details>
  );
}

function Leaf({ value }: Pick<Props, 'value'>): ReactNode {
  if (value === null || value === undefined) return <code className={code.comment}>null</code>;
  if (typeof value === 'string') return <Text text={value} />;
  return <span className={code.number}>{String(value)}</span>;
}

function Text({ text }: { readonly text: string }) {
  if (text === '') return <span className={code.comment}>{'""'}</span>;
  const whole = (
    <span className={styles.text} translate="no">
      {text}
    </span>
  );
  if (text.length <= longestText) return whole;
  return (
    <details className={styles.details}>
      <summary className={styles.text} translate="no">
        {text.slice(0, 200)}…
      </summary>
      {whole}
    </details>
  );
}
