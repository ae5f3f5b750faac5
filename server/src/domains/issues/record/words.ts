/**
 * One bug, with its source maps and without, has two hashes: its lines in one, type and message in the other. The words
 * of an error (type and parameterised message) bring both to one issue, as long as they are the words of one issue alone.
 */
import { chunksOf } from '../../../base/chunks.ts';
import type { Grouping } from '../../../process/types.ts';
import type { WordsState } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { chunkSize } from './hashes.ts';

interface Known {
  /** The issue that has them now. */
  readonly issueId: number;
  /** Whose they are: where that one was merged, a merge taken back gives them back. */
  readonly origin: number;
  readonly state: WordsState;
}

/** One place may say something else each time: what is beyond this is not remembered of an issue. */
export const maxWordsPerIssue = 50;

/** The words that a batch says, as they are known and as they will be. */
export class WordsOfBatch {
  readonly #trx: StateTransaction;
  readonly #projectId: number;
  readonly #known = new Map<string, Known>();
  readonly #stored = new Map<string, Known>();

  private constructor(trx: StateTransaction, projectId: number) {
    this.#trx = trx;
    this.#projectId = projectId;
  }

  static async read(trx: StateTransaction, projectId: number, hashes: ReadonlySet<string>): Promise<WordsOfBatch> {
    const words = new WordsOfBatch(trx, projectId);
    for (const chunk of chunksOf([...hashes], chunkSize)) {
      const rows = await trx
        .selectFrom('issue_words')
        .innerJoin('issue', 'issue.id', 'issue_words.issue_id')
        .select(['issue_words.hash', 'issue_words.state', 'issue.id', 'issue.merged_into'])
        .where('issue_words.project_id', '=', projectId)
        .where('issue_words.hash', 'in', chunk)
        .execute();
      for (const { hash, state, id, merged_into } of rows) {
        words.#stored.set(hash, { issueId: merged_into ?? id, origin: id, state });
      }
    }
    for (const [hash, known] of words.#stored) words.#known.set(hash, known);
    return words;
  }

  /**
   * The issue of an event whose hashes nobody knows, and the merged one whose words they are, if it is another;
   * undefined where its words do not tell.
   */
  ownerOf(words: Grouping['words']): { readonly issueId: number; readonly origin: number | undefined } | undefined {
    const known = words && this.#known.get(words.hash);
    if (known?.state !== (words?.mapped ? 'offered' : 'taken')) return undefined;
    const { issueId, origin } = known;
    return { issueId, origin: origin === issueId ? undefined : origin };
  }

  /** That an event of the issue says them. */
  note(words: Grouping['words'], issueId: number): void {
    if (!words) return;
    const { hash, mapped } = words;
    const known = this.#known.get(hash);
    if (known && known.issueId !== issueId) this.#known.set(hash, { ...known, state: 'shared' });
    else if (known?.state !== 'shared' && (mapped || !known)) {
      this.#known.set(hash, { issueId, origin: known?.origin ?? issueId, state: mapped ? 'taken' : 'offered' });
    }
  }

  async save(): Promise<void> {
    const changed = [...this.#known].filter(([hash, { state }]) => this.#stored.get(hash)?.state !== state);
    const room = await this.#roomFor(changed.filter(([hash]) => !this.#stored.has(hash)));
    const kept = changed.filter(([hash, { origin }]) => {
      if (this.#stored.has(hash)) return true;
      const left = room.get(origin) ?? 0;
      room.set(origin, left - 1);
      return left > 0;
    });
    for (const chunk of chunksOf(kept, chunkSize)) {
      await this.#trx
        .insertInto('issue_words')
        .values(
          chunk.map(([hash, { origin, state }]) => ({ project_id: this.#projectId, hash, issue_id: origin, state })),
        )
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'hash']).doUpdateSet((row) => ({
            issue_id: row.ref('excluded.issue_id'),
            state: row.ref('excluded.state'),
          })),
        )
        .execute();
    }
  }

  /** How many more words each issue may have. */
  async #roomFor(added: readonly (readonly [string, Known])[]): Promise<Map<number, number>> {
    const room = new Map(added.map(([, { origin }]) => [origin, maxWordsPerIssue]));
    for (const chunk of chunksOf([...room.keys()], chunkSize)) {
      const rows = await this.#trx
        .selectFrom('issue_words')
        .select((eb) => ['issue_id', eb.fn.countAll<number>().as('n')])
        .where('issue_id', 'in', chunk)
        .groupBy('issue_id')
        .execute();
      for (const { issue_id, n } of rows) room.set(issue_id, maxWordsPerIssue - Number(n));
    }
    return room;
  }
}
