/**
 * Issues between which events moved lately. A batch says which issues its events went to when it chose them; where their
 * hashes move to another issue before its rows are stored, that one gets the rows, and has to be told of as well.
 */
export class MovedIssues {
  #moves: { readonly projectId: number; readonly issueIds: readonly number[]; readonly atMs: number }[] = [];

  note(projectId: number, issueIds: readonly number[], atMs: number): void {
    if (!issueIds.length) return;
    this.#moves = this.#moves.filter((move) => atMs - move.atMs < keptMs).slice(1 - maxMoves);
    this.#moves.push({ projectId, issueIds, atMs });
  }

  since(projectId: number, fromMs: number): readonly number[] {
    return this.#moves.flatMap((move) => (move.projectId === projectId && move.atMs >= fromMs ? move.issueIds : []));
  }
}

/** No batch is under way for longer but where a store is away, and then nothing can be asked of it either. */
const keptMs = 120_000;
/** Each is a merge, or a batch in which views found their cause. */
const maxMoves = 1_000;
