/** Weeks as the engine cuts its partitions: from Monday, in UTC. */
export const dayMs = 86_400_000;
export const weekMs = 7 * dayMs;
/** The epoch was a Thursday. */
const firstMonday = -3 * dayMs;

/** The week's number. */
export const weekOf = (at: number): number => Math.floor((at - firstMonday) / weekMs);

export const endOf = (week: number): number => (week + 1) * weekMs + firstMonday;
