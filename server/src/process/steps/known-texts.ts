/** Values that come again as the same JSON, event after event: how they are found in the text of an event. */

const [quote, backslash, openList, closeList, openObject, closeObject] = [34, 92, 91, 93, 123, 125];

/** What is taken out of an event's text, to where, and the text that stands for it. */
export interface Cut {
  /** It begins with NUL, which no text of an event has. */
  readonly mark: string;
  readonly end: number;
}

/** Of some of its characters: only which texts displace each other depends on it. */
export function keyOf(text: string, start: number, end: number): number {
  const step = (end - start) / 32;
  let key = end - start;
  for (let at = end - 3; at > start; at -= step) key = (Math.imul(key, 31) + text.charCodeAt(at)) | 0;
  return key;
}

/** Where the list or object that begins at `start` is closed; `start` where it is not, or beyond `longest`. */
export function endOfValue(text: string, start: number, longest: number): number {
  const most = Math.min(text.length, start + longest);
  let depth = 0;
  for (let at = start; at < most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      for (at++; at < most; at++) {
        const inside = text.charCodeAt(at);
        if (inside === quote) break;
        if (inside === backslash) at++;
      }
    } else if (code === openList || code === openObject) depth++;
    else if ((code === closeList || code === closeObject) && --depth === 0) return at + 1;
  }
  return start;
}

const places = 4_096;

/** Of texts that came once, their keys: what does not come again is not worth the memory. */
export class CameOnce {
  readonly #keys = new Int32Array(places);

  /** Whether this one came before. */
  again(key: number): boolean {
    const place = (key ^ (key >>> 12)) & (places - 1);
    if (this.#keys[place] === key) return true;
    this.#keys[place] = key;
    return false;
  }
}

/** A copy: a piece of an event's text would keep the whole of it in memory. */
export const ownText = (text: string): string => Buffer.from(text).toString();
