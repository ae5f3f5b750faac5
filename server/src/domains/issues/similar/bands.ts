/**
 * Numbers that hashes share when they are alike, so that near ones are found by an index. Short stacks and messages give
 * one for all their parts and one for each part left out: two that differ in one part share one. Longer ones give bands
 * of minima of hash functions over their parts, of which two share some the more likely the more parts they share.
 */
import { hash } from 'node:crypto';
import { type Features, wordsOf } from './features.ts';

const shortList = 8;
const rowsOfBand = 2;
const bandsOfFrames = 8;
const bandsOfWords = 6;

/** Of the project alone. */
export function bandsOf(projectId: number, features: Features): number[] {
  const { type, frames, message } = features;
  const keys = frames.map(({ key }) => key);
  const words = wordsOf(message);
  const crash = keys.at(-1);
  const tokens = [
    ...listTokens('frames', keys, bandsOfFrames),
    ...(crash === undefined ? [] : [`crash\0${type}\0${crash}`]),
    // One word is said by unlike errors.
    ...(words.length < 2 ? [] : [`words\0${words.join('\0')}`]),
    ...(keys.length === 0 ? listTokens('words', words, bandsOfWords) : []),
  ];
  return [...new Set(tokens.map((token) => bandNumber(`${projectId}\0${token}`)))];
}

function listTokens(kind: string, parts: readonly string[], bands: number): string[] {
  if (parts.length === 0) return [];
  if (parts.length > shortList) return minimaTokens(kind, parts, bands);
  const without = parts.length === 1 ? [] : parts.map((_, index) => parts.toSpliced(index, 1));
  return [parts, ...without].map((list) => `${kind}\0${list.join('\0')}`);
}

function minimaTokens(kind: string, parts: readonly string[], bands: number): string[] {
  const numbers = [...new Set(parts)].map(mixText);
  return Array.from({ length: bands }, (_, band) => {
    const minima = Array.from({ length: rowsOfBand }, (__, row) => {
      const seed = mix(band * rowsOfBand + row + 1);
      return numbers.reduce((least, number) => Math.min(least, mix(number ^ seed)), Infinity);
    });
    return `${kind} ${band}\0${minima.join()}`;
  });
}

/** FNV-1a, 32 bits. */
function mixText(text: string): number {
  let number = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) number = Math.imul(number ^ text.charCodeAt(index), 0x01000193);
  return number >>> 0;
}

/** A permutation of 32-bit numbers that leaves no pattern. */
function mix(seed: number): number {
  let number = Math.imul(seed ^ (seed >>> 16), 0x7feb352d);
  number = Math.imul(number ^ (number >>> 15), 0x846ca68b);
  return (number ^ (number >>> 16)) >>> 0;
}

/** 48 bits, which every number of the language and of both databases holds. */
const bandNumber = (token: string): number => parseInt(hash('sha1', token, 'hex').slice(0, 12), 16);
