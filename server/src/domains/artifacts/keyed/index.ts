/** Keyed files: mappings by class and sources by path, of which a few kB are read per frame. */
export { classKey, looksLikeMapping, mappingTexts, sourceFileKey } from './mapping.ts';
export { type KeyedFile, openKeyed } from './open.ts';
export { findSource, inOrder, pathKey } from './sources.ts';
export { buildKeyed, type KeyedText, keyedVersion } from './write.ts';
