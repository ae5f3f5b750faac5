/** What source maps did to a frame. */
import type { Frame } from '../event/types.ts';
import * as m from '../../messages/stack-parts.ts';
import { minifiedOf } from './as-sent.ts';
import { Mark } from './FrameMark.tsx';
import { unresolvedOf } from './mapped.ts';
import styles from './stacktrace.module.css';

/** Why it was not mapped, in the place of "minified". The page says above how to fix it. */
export function Unresolved({ frame }: { readonly frame: Frame }) {
  const unresolved = unresolvedOf(frame);
  return unresolved && <Mark warning>{m.unresolved[unresolved.code]}</Mark>;
}

/** A frame before it was mapped. */
export function AsSent({ frame }: { readonly frame: Frame }) {
  const minified = minifiedOf(frame);
  if (!minified) return null;
  const { function: name, location: place, map } = minified;
  const where = { function: name || '<anonymous>', place };
  return (
    <details className={styles.before}>
      <summary>{m.asSent}</summary>
      <code>{map ? m.mappedBy({ ...where, map }) : m.minifiedIn(where)}</code>
    </details>
  );
}
