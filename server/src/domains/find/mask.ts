/**
 * Pasted text without what copying from a page brings along: tags, entities and the many kinds of white space become
 * plain blanks of the same length, so that positions stay those of the text as it was pasted.
 */

// Every repetition is bounded, and nothing inside can match what ends it: one pass, whatever the text.
const noise =
  /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,300})?\/?>|&(?:nbsp|#160|#xa0|zwnj|thinsp|ensp|emsp);|[^\S ]|[\p{Cc}\p{Cf}]/giu;

export function maskNoise(text: string): string {
  return text.replaceAll(noise, (part) => ' '.repeat(part.length));
}
