export { find } from './find.ts';
export type { Evidence } from './evidence.ts';
export { lineOf } from './frame.ts';
export { createLookout, type Lookout } from './lookout.ts';
export type { Match } from './matches.ts';
export type { SpanFacts, TraceFacts } from './spans.ts';
export type { Answer, Cause, Sighting, Tally, TiedTrace } from './types.ts';
export {
  type FoundWatch,
  findWatch,
  foundSince,
  listWatches,
  putWatch,
  removeWatch,
  setSeen,
  type WatchRow,
} from './watches.ts';
