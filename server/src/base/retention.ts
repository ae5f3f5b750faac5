/** Classes of retention: what is kept for how long, and up to which size. A table of the events store has one. */

export const retentionClasses = ['errors', 'spans', 'logs', 'sessions', 'attachments', 'other'] as const;
export type RetentionClass = (typeof retentionClasses)[number];

/** Ages by name that projects may choose from. */
export const mostPolicies = 8;

export type KeptDays = Readonly<Record<RetentionClass, number>>;

/** The same for all of them. */
export const sameDays = (days: number): KeptDays => eachClass(() => days);

export const eachClass = <T>(make: (name: RetentionClass) => T): Record<RetentionClass, T> =>
  Object.fromEntries(retentionClasses.map((name) => [name, make(name)])) as Record<RetentionClass, T>;
