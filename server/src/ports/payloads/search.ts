/** Looks through all payloads for texts: which of them have one. */
import { freeBuffer } from '../../base/free-buffer.ts';
import { createFinder, type Finder, type SoughtText } from '../../base/sought-text.ts';
import type { ChunkEntry } from './chunk.ts';
import type { OpenSegment } from './open-segment.ts';

/** What was found in one segment. */
export interface FoundPayloads {
  readonly segment: number;
  readonly ordinals: readonly number[];
}

export interface SearchOptions {
  readonly sought: readonly SoughtText[];
  readonly signal: AbortSignal;
  readonly onFound: (found: FoundPayloads) => void;
  /** Segments that were looked through, of how many. */
  readonly onProgress?: (done: number, of: number) => void;
}

export const hasSought = ({ bytes, beside }: Omit<ChunkEntry, 'kin'>, finder: Finder): boolean =>
  finder.isIn(bytes) || finder.isIn(beside);

/** A chunk at a time. */
export async function searchSegment(source: OpenSegment, sought: readonly SoughtText[]): Promise<number[]> {
  const finder = createFinder(sought);
  const entries = await source.allEntries();
  const found: number[] = [];
  const there = [...entries.keys()].filter((ordinal) => entries[ordinal]);
  for (const [offset, ordinals] of Map.groupBy(there, (ordinal) => entries[ordinal]?.offset ?? 0)) {
    const chunk = await source.chunk(offset);
    for (const ordinal of ordinals) {
      const entry = chunk[entries[ordinal]?.number ?? 0];
      if (entry && hasSought(entry, finder)) found.push(ordinal);
    }
    if (chunk[0]) freeBuffer(chunk[0].bytes);
  }
  return found;
}
