/**
 * What the API of the next version takes away from programs that work with the last one, as a failing test of
 * `api-surface` says it, and why. Emptied when a version is released; CHANGELOG.md tells what stood here.
 */
export interface DeclaredChange {
  readonly change: string;
  readonly why: string;
}

export const declaredChanges: readonly DeclaredChange[] = [];
