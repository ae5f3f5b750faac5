/** Links of the page change the address that they stand on: only one that leads to the very same is the current one. */
export const exactly = { exact: true } as const;
