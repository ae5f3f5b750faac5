import type { Place } from '@culprit/search';
import { cx } from '../../ui/cx.ts';
import styles from './SearchBox.module.css';

export interface ShownProblem extends Place {
  readonly message: string;
  readonly suggestions?: readonly string[] | undefined;
}

/** What is wrong, in words, and what would be right. */
export function Problems({
  id,
  problems,
  isRefused,
  onAccept,
}: {
  readonly id: string;
  /** False: it is asked as it is written, and may be meant otherwise. */
  readonly isRefused: boolean;
  readonly problems: readonly ShownProblem[];
  readonly onAccept: (problem: ShownProblem, suggestion: string) => void;
}) {
  return (
    <div id={id} role={isRefused ? 'alert' : 'status'} className={cx(styles.problems, !isRefused && styles.hints)}>
      {problems.slice(0, 4).map((problem) => (
        <p key={`${problem.start} ${problem.message}`}>
          {sentence(problem.message)}
          {problem.suggestions?.slice(0, 3).map((suggestion) => (
            <button
              key={suggestion}
              type="button"
              className={styles.suggestion}
              onClick={() => onAccept(problem, suggestion)}
            >
              Use <code>{suggestion}</code>
            </button>
          ))}
        </p>
      ))}
      {problems.length > 4 && <p>{problems.length - 4} more</p>}
    </div>
  );
}

const sentence = (message: string): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`;
