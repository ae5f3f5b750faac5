/** What a run has come to, from what `progress.ts` wrote down. */
import type { FileState } from './progress.ts';

export interface Files {
  /** Begun and not ended, in the order in which they began. */
  readonly running: readonly string[];
  /** Not ended, those that are running included. */
  readonly left: readonly string[];
  readonly failed: readonly string[];
}

export function filesOf(progress: string): Files {
  const states = new Map<string, FileState>();
  for (const line of progress.split('\n')) {
    const [, state, path] = /^(planned|begun|passed|failed) (.+)$/.exec(line) ?? [];
    if (path) states.set(path, state as FileState);
  }
  const inState = (...wanted: FileState[]): string[] =>
    [...states].filter(([, state]) => wanted.includes(state)).map(([path]) => path);
  return { running: inState('begun'), left: inState('planned', 'begun'), failed: inState('failed') };
}
