/** What a node does. One machine does all of it; of several, each may do a part. */
export const roleNames = ['intake', 'process', 'api', 'jobs'] as const;

export type Role = (typeof roleNames)[number];

export const isRole = (text: string): text is Role => roleNames.some((name) => name === text);
