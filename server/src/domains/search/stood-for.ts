/** What events of the table `errors` count for: themselves, and those that a storm kept out. */

/** So many events. UInt64. */
export const eventsCount = 'sum(1 + stands_for)';
export const eventsCountIf = (condition: string): string => `sumIf(1 + stands_for, ${condition})`;

/** Whom an event is about, and whom those that it stands for met. */
export const metUsers = "arrayFilter(one -> one != '', arrayPushFront(sampled_users, user))";

/** So many users. `condition`: of events. */
export const usersCount = (condition?: string): string =>
  condition === undefined ? `uniqArray(${metUsers})` : `uniqArrayIf(${metUsers}, ${condition})`;

/** Of events that stand for w each: sum of w (w - 1), and the largest w. `issues/queries/estimate.ts` says what for. */
export const sampledSpread = (condition?: string): string =>
  condition === undefined ? 'sum(stands_for * (1 + stands_for))' : `sumIf(stands_for * (1 + stands_for), ${condition})`;
export const largestSampled = (condition?: string): string =>
  condition === undefined ? '1 + max(stands_for)' : `1 + maxIf(stands_for, ${condition})`;
