export type { ServerEvent } from './lookup.ts';
export { recordTwins } from './record-twins.ts';
export { settleArrivals } from './settle.ts';
