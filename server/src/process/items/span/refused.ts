/** Spans of an item that could not be read: each is counted, and the first ones are kept to be looked at. */
import { Remarks } from '../../steps/remarks.ts';
import { BagCleaner, scrubRules } from '../../steps/scrub/index.ts';
import type { CountedOutcome, ItemContext, ItemResult } from '../../types.ts';
import { keepAside } from '../kept/index.ts';

const mostKept = 10;
const keptLimit = { maxSize: 32 * 1024, maxDepth: 8, maxText: 2000 };

export class RefusedSpans {
  readonly #reasons = new Map<string, number>();
  /** As they came. */
  readonly kept: unknown[] = [];
  detail = '';

  add({ reason, detail }: { readonly reason: string; readonly detail: string }, entry: unknown): void {
    this.#count(reason, 1);
    if (this.kept.length === 0) this.detail = detail;
    if (this.kept.length < mostKept) this.kept.push(entry);
  }

  /** Those beyond the most that one item may have; nothing for none. */
  cut(quantity: number): void {
    if (quantity > 0) this.#count('too_many_spans', quantity);
  }

  reasons(): [reason: string, quantity: number][] {
    return [...this.#reasons];
  }

  outcomes(): CountedOutcome[] {
    return this.reasons().map(([reason, quantity]) => ({
      category: 'span',
      outcome: { kind: 'invalid', reason },
      quantity,
    }));
  }

  #count(reason: string, quantity: number): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + quantity);
  }
}

/** One item for all of them, under the reason of the first. */
export function keepRefused(refused: RefusedSpans, context: ItemContext): NonNullable<ItemResult['kept']> {
  const [first] = refused.reasons();
  if (!first || refused.kept.length === 0) return [];
  // Bounded before it is written: what nests without end would take the others down with it.
  const bags = new BagCleaner(scrubRules(context.settings), new Remarks());
  const payload = Buffer.from(JSON.stringify(bags.clean(refused.kept, keptLimit)));
  const outcome = { kind: 'invalid' as const, reason: first[0], detail: refused.detail };
  return keepAside({ type: 'span', header: { type: 'span' }, payload }, context, 'span', outcome).kept ?? [];
}
