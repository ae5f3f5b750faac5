import type { Place } from '@culprit/search';
import * as m from '../../messages/search-box.ts';
import { Chip } from '../../ui/Chip.tsx';
import { cx } from '../../ui/cx.ts';
import { problemWords, type Worded } from './problem-words.ts';
import styles from './SearchBox.module.css';

export interface ShownProblem extends Place, Worded {
  readonly suggestions?: readonly string[] | undefined;
}

/** What is wrong, with suggestions. */
export function Problems({
  id,
  problems,
  isRefused,
  onAccept,
}: {
  readonly id: string;
  /** False: it is searched as it is written, and may mean something else. */
  readonly isRefused: boolean;
  readonly problems: readonly ShownProblem[];
  readonly onAccept: (problem: ShownProblem, suggestion: string) => void;
}) {
  return (
    <div id={id} role={isRefused ? 'alert' : 'status'} className={cx(styles.problems, !isRefused && styles.hints)}>
      {problems.slice(0, 4).map((problem, index) => (
        <p key={index}>
          {problemWords(problem)}
          {problem.suggestions?.slice(0, 3).map((suggestion) => (
            <Chip key={suggestion} onClick={() => onAccept(problem, suggestion)}>
              {m.use({ term: <code>{suggestion}</code> })}
            </Chip>
          ))}
        </p>
      ))}
      {problems.length > 4 && <p>{m.moreProblems({ count: problems.length - 4 })}</p>}
    </div>
  );
}
