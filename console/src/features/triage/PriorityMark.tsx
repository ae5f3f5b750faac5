import * as m from '../../messages/triage.ts';
import type { Priority } from './actions.ts';
import styles from './PriorityMark.module.css';

const filled: Readonly<Record<Priority, number>> = { high: 3, medium: 2, low: 1 };

/** Three bars, as many full as the priority is high; with its `word`, which is only read out otherwise. */
export function PriorityMark({ priority, word = false }: { readonly priority: Priority; readonly word?: boolean }) {
  return (
    <span className={styles.mark} data-priority={priority}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {[0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={bar * 4 + 0.5}
            y={8 - bar * 3.5}
            width="3"
            height={3.5 + bar * 3.5}
            rx="0.5"
            fill="currentColor"
            fillOpacity={bar < filled[priority] ? 1 : 0.25}
          />
        ))}
      </svg>
      <span className={word ? undefined : 'visually-hidden'}>{(word ? m.priorities : m.priorityTips)[priority]}</span>
    </span>
  );
}
