/** How the exceptions of an event hang together, in the order in which they are read. */
import { linksBetween, type StackRelation } from '@culprit/stacktrace';
import type { ShownException } from './entries.ts';

/**
 * What an exception is to the one that it belongs to. `cause` where no more is known, as in most languages; Python tells
 * `direct` (`raise … from`) from `during` (raised while the other was handled).
 */
export type Relation = 'cause' | 'direct' | 'during' | 'suppressed' | 'member';

export interface Linked extends ShownException {
  readonly relation: Relation;
  /** How many groups, or exceptions that something was suppressed for, it lies in. */
  readonly depth: number;
}

/**
 * The exceptions after the first, each below the one that it belongs to: what was suppressed, then members of the group,
 * then the cause, as Java prints them.
 *
 * @param shown the outermost first
 */
export function chainOf(shown: readonly ShownException[], platform: string | null): Linked[] {
  const links = linksBetween(
    shown.map(({ exception, stacktrace }) => ({
      type: exception?.type ?? null,
      mechanism: exception?.mechanism ?? null,
      stacktrace: stacktrace ?? null,
    })),
    platform ?? '',
  );
  const linked: Linked[] = [];
  const visit = (parent: number, depth: number): void => {
    const children = shown.flatMap((each, index) => {
      const link = links[index];
      if (index === 0 || link?.parent !== parent) return [];
      return [{ index, each, relation: shownAs(link.relation, platform) }];
    });
    for (const { index, each, relation } of children.toSorted((a, b) => order(a.relation) - order(b.relation))) {
      const deeper = order(relation) < 2 ? depth + 1 : depth;
      linked.push({ ...each, relation, depth: deeper });
      visit(index, deeper);
    }
  };
  visit(0, 0);
  return linked;
}

const order = (relation: Relation): number => (relation === 'suppressed' ? 0 : relation === 'member' ? 1 : 2);

function shownAs(relation: StackRelation | undefined, platform: string | null): Relation {
  if (relation === undefined) return 'cause';
  if (relation === 'context') return 'during';
  return relation === 'cause' && platform === 'python' ? 'direct' : relation;
}
