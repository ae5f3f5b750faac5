/** Shapes of the work on issues. Times are ms since the epoch. */
import type { Priority } from '../../../ports/state/schema.ts';
import type { SubscriptionReason } from '../../../ports/state/work-tables.ts';

export type AssignedTo =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'team'; readonly id: number };

/** Who or what has assigned an issue. */
export type AssignmentReason = 'user' | 'ownership' | 'commit';

/** Somebody does something to issues. */
export interface Doing {
  readonly issueIds: readonly number[];
  readonly userId: string;
  readonly nowMs: number;
}

export interface Assignment {
  readonly issueIds: readonly number[];
  /** Null: nobody. */
  readonly to: AssignedTo | null;
  /** Null: nobody did it by hand. */
  readonly byUserId: string | null;
  readonly why: AssignmentReason;
  /** Only those that nobody has by then. */
  readonly onlyFree?: boolean | undefined;
  /** Part of a change of so many that nobody is told of each. */
  readonly many?: boolean | undefined;
  readonly nowMs: number;
}

/** What an issue was in one regard, for taking a change back. */
export interface AssigneeBefore {
  readonly userId: string | null;
  readonly teamId: number | null;
}

export interface PriorityBefore {
  /** Null: as the level says. */
  readonly priority: Priority | null;
  readonly locked: number;
}

export interface SubscriptionBefore {
  readonly isActive: boolean;
  readonly reason: SubscriptionReason;
}
