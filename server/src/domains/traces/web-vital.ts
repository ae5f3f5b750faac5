/** Spans that tell of a moment: a web vital reaches from the start of its page to there, and nobody was at work for that long. */
import type { TreeSpan } from './types.ts';

export function isWebVital({ op }: Pick<TreeSpan, 'op'>): boolean {
  return op.startsWith('ui.webvital.');
}
