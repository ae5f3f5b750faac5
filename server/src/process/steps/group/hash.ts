/** Hashes over a canonical list of (component, value); the order of keys in the event plays no part. */
import { hash } from 'node:crypto';

/** Events hold no NUL (decoding replaces it), so it parts values without any escape. */
export function entry(component: string, value: string): string {
  return `${component}\0${value}\0`;
}

/** A piece that is this long comes again with every event of a bug, as the same text. */
const longPiece = 200;
/** Of such pieces, and characters of all of them. */
const numbers = new Map<string, number>();
let numbered = 0;
const maxNumbered = 2 * 1024 * 1024;
/** By short pieces, and the numbers of long ones. */
const known = new Map<string, string>();
const maxKnown = 4_000;

/** 32 hex digits: half of SHA-256 of the pieces, one after the other. To find it again takes a tenth of hashing them. */
export function shortHash(...pieces: readonly string[]): string {
  // Not while a key is made: numbers begin anew.
  if (numbered > maxNumbered || known.size > maxKnown) forget();
  let key = '';
  let isLong = false;
  for (const piece of pieces) {
    if (piece.length < longPiece) key += `${piece.length}:${piece}`;
    else {
      isLong = true;
      key += `#${numberOf(piece)};`;
    }
  }
  if (!isLong) return hashOf(pieces);
  let made = known.get(key);
  if (made === undefined) known.set(key, (made = hashOf(pieces)));
  return made;
}

function numberOf(piece: string): number {
  let number = numbers.get(piece);
  if (number === undefined) {
    numbers.set(piece, (number = numbers.size));
    numbered += piece.length;
  }
  return number;
}

function forget(): void {
  numbers.clear();
  known.clear();
  numbered = 0;
}

const hashOf = (pieces: readonly string[]): string => hash('sha256', pieces.join(''), 'hex').slice(0, 32);
