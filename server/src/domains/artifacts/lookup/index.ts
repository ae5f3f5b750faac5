/**
 * Lookup files: a source map as a file of which a few kB are read per frame. The indexing thread builds them, once per map;
 * processing threads read them and never see the map.
 */
export { buildLookup, type BuiltLookup, type LookupInput } from './build.ts';
export { createLookupCache, type LookupCache } from './cache.ts';
export { lookupVersion } from './format.ts';
export { MapError } from './map-error.ts';
export { openLookup, type Context, type Lookup, type Position, type ReadRange } from './open.ts';
