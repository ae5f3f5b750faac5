/** Hashes over a canonical list of (component, value); the order of keys in the event plays no part. */
import { hash } from 'node:crypto';

/** Events hold no NUL (decoding replaces it), so it parts values without any escape. */
export function entry(component: string, value: string): string {
  return `${component}\0${value}\0`;
}

/** Lists of stacks come again with every event of a bug, and to compare one takes a tenth of the time of hashing it. */
const places = 512;
const known: ({ readonly list: string; readonly hash: string } | undefined)[] = Array.from({ length: places });
/** Characters. */
const [shortest, longest] = [500, 8_000];

/** 32 hex digits: half of SHA-256. */
export function shortHash(list: string): string {
  if (list.length < shortest || list.length > longest) return hashOf(list);
  const place = placeOf(list);
  const found = known[place];
  if (found?.list === list) return found.hash;
  const made = { list, hash: hashOf(list) };
  known[place] = made;
  return made.hash;
}

const hashOf = (list: string): string => hash('sha256', list, 'hex').slice(0, 32);

/** Only which lists displace each other depends on it. */
function placeOf(list: string): number {
  const step = list.length / 32;
  let sum = list.length;
  for (let at = 0; at < list.length; at += step) sum = (Math.imul(sum, 31) + list.charCodeAt(at)) | 0;
  return (sum ^ (sum >>> 15)) & (places - 1);
}
