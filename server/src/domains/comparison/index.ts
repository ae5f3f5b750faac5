export { type Bounds, compare, type Comparison, type Missing, usualSpan } from './compare.ts';
export type { Counted, Group, Kind } from './groups.ts';
export { readOurs, type Span } from './ours.ts';
export { openTheirs, type TheirPlace } from './theirs.ts';
export { apiUrl } from './place.ts';
