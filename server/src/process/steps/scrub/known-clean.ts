/** Texts in which nothing was found. Names, paths and lines of code come again with every event of a bug. */

const sets = 4_096;
const longest = 300;

/**
 * A cache with two places for each text, found by some of its characters: every event brings its texts as new strings,
 * and to hash them whole, as a `Set` does, costs more than to look into many of them. What is found is the same text.
 */
export class KnownClean {
  #texts: string[] = [];

  has(text: string): boolean {
    if (text.length > longest || this.#texts.length === 0) return false;
    const place = placeOf(text);
    return this.#texts[place] === text || this.#texts[place + 1] === text;
  }

  add(text: string): void {
    if (text.length > longest) return;
    if (this.#texts.length === 0) this.#texts = Array<string>(2 * sets).fill('');
    const place = placeOf(text);
    this.#texts[place + 1] = this.#texts[place] ?? '';
    this.#texts[place] = text;
  }
}

/** Only which texts displace each other depends on it. */
function placeOf(text: string): number {
  const { length } = text;
  // Beginnings are alike more often than ends.
  const ends = text.charCodeAt(length - 1) | (text.charCodeAt(length - 2) << 7) | (text.charCodeAt(length - 4) << 14);
  const quarters =
    text.charCodeAt(length >> 2) |
    (text.charCodeAt(length >> 1) << 8) |
    (text.charCodeAt(length - (length >> 2)) << 16);
  return (mix(mix(ends ^ text.charCodeAt(length - 7)) ^ quarters ^ (length << 24)) & (sets - 1)) * 2;
}

/** Upper bits count as lower ones do. */
function mix(hash: number): number {
  const product = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return product ^ (product >>> 13);
}
