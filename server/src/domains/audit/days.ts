/** How long entries are kept unless an owner says otherwise. */
export const defaultRetentionDays = 365;
