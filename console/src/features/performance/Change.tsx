import type { Change as ChangeOf } from './words.ts';
import styles from './performance.module.css';

const arrows = { up: '▲', down: '▼', same: '=' } as const;

/** How a measure changed: an arrow, how much, and in which tone; the sentence for those who point at it or hear it. */
export function Change({ change }: { readonly change: ChangeOf | undefined }) {
  if (!change) return null;
  return (
    <span className={styles.change} data-tone={change.tone} data-tip={change.sentence}>
      <span aria-hidden="true">
        {arrows[change.direction]} {change.text}
      </span>
      <span className="visually-hidden">{change.sentence}</span>
    </span>
  );
}
