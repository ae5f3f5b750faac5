/** Pieces of a web application that could not be loaded: a new version was deployed, or the network was away. */
import type { Event } from '../event.ts';

const types = new Set(['ChunkLoadError']);
const messages =
  /^(?:Loading (?:CSS )?chunk \S{1,200} failed|Failed to load chunk \S|Failed to fetch dynamically imported module\b|error loading dynamically imported module\b|Importing a module script failed\b|Unable to preload CSS for \S|ChunkLoadError: )/i;

export function ofChunkLoad(event: Event): boolean {
  if (event.platform !== 'javascript') return false;
  const thrown = event.exception?.values.at(-1);
  return thrown !== undefined && (types.has(thrown.type ?? '') || messages.test(thrown.value ?? ''));
}
