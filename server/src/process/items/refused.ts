/** Entries of an item that could not be read: each is counted, and the first ones are kept to be looked at. */
import { Remarks } from '../steps/remarks.ts';
import { BagCleaner, scrubRules } from '../steps/scrub/index.ts';
import type { CountedOutcome, ItemContext, ItemResult } from '../types.ts';
import { keepAside } from './kept/index.ts';

const maxKept = 10;
const keptLimit = { maxSize: 32 * 1024, maxDepth: 8, maxText: 2000 };

interface Kind {
  readonly itemType: string;
  readonly category: string;
  /** Reason of those beyond the most that one item may have. */
  readonly tooMany: string;
}

const kinds = {
  spans: { itemType: 'span', category: 'span', tooMany: 'too_many_spans' },
  logs: { itemType: 'log', category: 'log_item', tooMany: 'too_many_logs' },
} as const satisfies Record<string, Kind>;

export class RefusedEntries {
  readonly kind: Kind;
  readonly #reasons = new Map<string, number>();
  /** As they came. */
  readonly kept: unknown[] = [];
  detail = '';

  constructor(kind: keyof typeof kinds) {
    this.kind = kinds[kind];
  }

  add({ reason, detail }: { readonly reason: string; readonly detail: string }, entry: unknown): void {
    this.#count(reason, 1);
    if (this.kept.length === 0) this.detail = detail;
    if (this.kept.length < maxKept) this.kept.push(entry);
  }

  /** Those beyond the most that one item may have; nothing for none. */
  cut(quantity: number): void {
    if (quantity > 0) this.#count(this.kind.tooMany, quantity);
  }

  reasons(): [reason: string, quantity: number][] {
    return [...this.#reasons];
  }

  outcomes(): CountedOutcome[] {
    return this.reasons().map(([reason, quantity]) => ({
      category: this.kind.category,
      outcome: { kind: 'invalid', reason },
      quantity,
    }));
  }

  #count(reason: string, quantity: number): void {
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + quantity);
  }
}

/** One item for all of them, under the reason of the first. */
export function keepRefused(refused: RefusedEntries, context: ItemContext): NonNullable<ItemResult['kept']> {
  const [first] = refused.reasons();
  if (!first || refused.kept.length === 0) return [];
  // Bounded before it is written: what nests without end would take the others down with it.
  const bags = new BagCleaner(scrubRules(context.settings), new Remarks());
  const payload = Buffer.from(JSON.stringify(bags.clean(refused.kept, keptLimit)));
  const outcome = { kind: 'invalid' as const, reason: first[0], detail: refused.detail };
  const { itemType: type, category } = refused.kind;
  return keepAside({ type, header: { type }, payload }, context, category, outcome).kept ?? [];
}
