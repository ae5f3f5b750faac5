/**
 * One bug, with its source maps and without, has two hashes: its lines in one, type and message in the other. The words
 * of an error (type and parameterised message) bring both to one issue, as long as they are the words of one issue alone.
 */
import type { Grouping } from '../../process/types.ts';
import type { WordsState } from '../../state/schema.ts';
import type { StateTransaction } from '../../state/state.ts';
import { chunksOf } from '../queries/rows.ts';
import { chunkSize } from './hashes.ts';

interface Known {
  readonly issueId: number;
  readonly state: WordsState;
}

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
        words.#stored.set(hash, { issueId: merged_into ?? id, state });
      }
    }
    for (const [hash, known] of words.#stored) words.#known.set(hash, known);
    return words;
  }

  /** The issue of an event whose hashes nobody knows; undefined where its words do not tell. */
  ownerOf(words: Grouping['words']): number | undefined {
    const known = words && this.#known.get(words.hash);
    return known?.state === (words?.mapped ? 'offered' : 'taken') ? known?.issueId : undefined;
  }

  /** That an event of the issue says them. */
  note(words: Grouping['words'], issueId: number): void {
    if (!words) return;
    const { hash, mapped } = words;
    const known = this.#known.get(hash);
    if (known && known.issueId !== issueId) this.#known.set(hash, { ...known, state: 'shared' });
    else if (known?.state !== 'shared' && (mapped || !known)) {
      this.#known.set(hash, { issueId, state: mapped ? 'taken' : 'offered' });
    }
  }

  async save(): Promise<void> {
    const changed = [...this.#known].filter(([hash, { state }]) => this.#stored.get(hash)?.state !== state);
    for (const chunk of chunksOf(changed, chunkSize)) {
      await this.#trx
        .insertInto('issue_words')
        .values(
          chunk.map(([hash, { issueId, state }]) => ({ project_id: this.#projectId, hash, issue_id: issueId, state })),
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
}
