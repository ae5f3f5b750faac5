/**
 * What an event is about, read from its bytes while a storm is on: release, environment, and of its last exception the
 * type, the message without numbers and the top three frames. Reads each byte once and parses nothing; what is not JSON
 * ends the reading, and whatever was found by then is the key.
 */

export interface CheapEvent {
  /** Of 53 bits. Two events with the same key are most likely of one bug. */
  readonly key: number;
  /** Of release, environment and all frames of the last exception: tells apart what has one key. */
  readonly variant: number;
  /** JSON text of its user, '' for none. */
  readonly user: string;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Of a text: what comes later rarely tells bugs apart. */
const longestText = 256;
const longestUser = 512;
const countedFrames = 3;
type CountedField = 'release' | 'environment' | 'fingerprint';
/** Fields of a frame that name a place in code. */
const frameFields: ReadonlySet<string> = new Set(['function', 'module', 'filename']);

/** Undefined for what is no JSON object. */
export function readCheapEvent(payload: Uint8Array): CheapEvent | undefined {
  const reader = new CheapReader(payload);
  return reader.read() ? { key: reader.key(), variant: reader.variant(), user: reader.user } : undefined;
}

class CheapReader {
  user = '';
  readonly #payload: Uint8Array;
  /** A character a byte: where a text ends is found many times faster than in bytes. */
  readonly #text: string;
  /** Of the fields beside it that count. */
  readonly #fields: Record<CountedField, number> = { release: 0, environment: 0, fingerprint: 0 };
  #at = 0;
  /** Of the last exception. */
  #exception: number | undefined;
  #message: number | undefined;
  /** Of the frames of that exception. */
  #frames = 0;

  constructor(payload: Uint8Array) {
    this.#payload = payload;
    this.#text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('latin1');
  }

  read(): boolean {
    this.#skipBlanks();
    if (this.#byte() !== openBrace) return false;
    this.#object((name) => this.#topLevel(name));
    return true;
  }

  key(): number {
    // An exception says more than a message beside it.
    const hash = new Hash();
    hash.number(this.#exception ?? this.#message ?? 0);
    hash.number(this.#fields.fingerprint);
    return hash.value();
  }

  variant(): number {
    const hash = new Hash();
    const { release, environment } = this.#fields;
    for (const value of [this.#frames, release, environment]) hash.number(value);
    return hash.value();
  }

  #topLevel(name: string): void {
    switch (name) {
      case 'release':
      case 'environment':
      case 'fingerprint': {
        const hash = new Hash();
        this.#whole(hash);
        this.#fields[name] = hash.value();
        return;
      }
      case 'user': {
        const start = this.#at;
        this.#skipValue();
        if (this.#at - start <= longestUser && this.#text.charCodeAt(start) === openBrace) {
          this.user = Buffer.from(this.#payload.buffer, this.#payload.byteOffset + start, this.#at - start).toString();
        }
        return;
      }
      case 'message':
      case 'logentry':
        this.#message = this.#messageHash();
        return;
      case 'exception':
        this.#exceptions();
        return;
      default:
        this.#skipValue();
    }
  }

  /** A text, or an object with a template or a formatted one. */
  #messageHash(): number {
    const hash = new Hash();
    if (this.#byte() === openBrace) {
      this.#object((name) => {
        if (name === 'message' || name === 'formatted') this.#withoutNumbers(hash);
        else this.#skipValue();
      });
    } else {
      this.#withoutNumbers(hash);
    }
    return hash.value();
  }

  /** A list of exceptions, the outermost last, or an object with it as its values. */
  #exceptions(): void {
    if (this.#byte() === openBrace) {
      this.#object((name) => {
        if (name === 'values') this.#list(() => this.#oneException());
        else this.#skipValue();
      });
    } else {
      this.#list(() => this.#oneException());
    }
  }

  #oneException(): void {
    const hash = new Hash();
    this.#frames = 0;
    if (this.#byte() === openBrace) {
      this.#object((name) => {
        if (name === 'type') this.#whole(hash);
        else if (name === 'value') this.#withoutNumbers(hash);
        else if (name === 'mechanism') this.#handled(hash);
        else if (name === 'stacktrace') this.#stack(hash);
        else this.#skipValue();
      });
    } else {
      this.#skipValue();
    }
    this.#exception = hash.value();
  }

  #handled(hash: Hash): void {
    if (this.#byte() !== openBrace) {
      this.#skipValue();
      return;
    }
    this.#object((name) => {
      if (name === 'handled') this.#whole(hash);
      else this.#skipValue();
    });
  }

  #stack(hash: Hash): void {
    if (this.#byte() !== openBrace) {
      this.#skipValue();
      return;
    }
    this.#object((name) => {
      if (name !== 'frames') {
        this.#skipValue();
        return;
      }
      // The newest call is the last one.
      const frames: number[] = [];
      const all = new Hash();
      this.#list(() => {
        const place = new Hash();
        const line = new Hash();
        this.#frame(place, line);
        // Lines change with each build; which functions call each other does not.
        all.number(place.value());
        frames.push(place.value(), line.value());
        if (frames.length > 2 * countedFrames) frames.splice(0, 2);
      });
      for (const frame of frames) hash.number(frame);
      this.#frames = all.value();
    });
  }

  #frame(place: Hash, line: Hash): void {
    if (this.#byte() !== openBrace) {
      this.#skipValue();
      return;
    }
    this.#object((field) => {
      if (field === 'lineno') this.#whole(line);
      else if (frameFields.has(field)) this.#whole(place);
      else this.#skipValue();
    });
  }

  /** Calls `take` for each name, at its value, which it must pass. */
  #object(take: (name: string) => void): void {
    this.#at++;
    for (;;) {
      this.#skipBlanks();
      const byte = this.#byte();
      if (byte === comma) {
        this.#at++;
        continue;
      }
      if (byte !== quote) {
        if (byte === closeBrace) this.#at++;
        else this.#at = this.#text.length;
        return;
      }
      const start = this.#at + 1;
      this.#skipString();
      const name = this.#name(start, this.#at - 1);
      this.#skipBlanks();
      if (this.#byte() !== 0x3a) {
        this.#at = this.#text.length;
        return;
      }
      this.#at++;
      this.#skipBlanks();
      take(name);
    }
  }

  /** Calls `take` at each element, which it must pass. */
  #list(take: () => void): void {
    if (this.#byte() !== openBracket) {
      this.#skipValue();
      return;
    }
    this.#at++;
    for (;;) {
      this.#skipBlanks();
      const byte = this.#byte();
      if (Number.isNaN(byte)) return;
      if (byte === comma) {
        this.#at++;
      } else if (byte === closeBracket) {
        this.#at++;
        return;
      } else {
        const before = this.#at;
        take();
        if (this.#at === before) this.#at = this.#text.length;
      }
    }
  }

  /** Names that matter are short and plain. */
  #name(start: number, end: number): string {
    return end - start > 12 ? '' : this.#text.slice(start, end);
  }

  #whole(hash: Hash): void {
    const start = this.#at;
    this.#skipValue();
    hash.text(this.#text, start, Math.min(this.#at, start + longestText));
  }

  #withoutNumbers(hash: Hash): void {
    const start = this.#at;
    this.#skipValue();
    hash.words(this.#text, start, Math.min(this.#at, start + longestText));
  }

  /** NaN at the end. */
  #byte(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #skipBlanks(): void {
    while (isBlank(this.#byte())) this.#at++;
  }

  #skipString(): void {
    this.#at = endOfString(this.#text, this.#at);
  }

  /** Moves at least one byte, unless there is none, or what holds the value ends. */
  #skipValue(): void {
    const text = this.#text;
    const { length } = text;
    let at = this.#at;
    let depth = 0;
    for (; at < length; at++) {
      const byte = text.charCodeAt(at);
      if (byte === quote) {
        at = endOfString(text, at) - 1;
        if (depth === 0) break;
      } else if (byte === openBrace || byte === openBracket) {
        depth++;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) {
          this.#at = at;
          return;
        }
        if (--depth === 0) break;
      } else if (depth === 0 && (byte === comma || isBlank(byte))) {
        this.#at = at;
        return;
      }
    }
    this.#at = Math.min(at + 1, length);
  }
}

/** `at`: of its first quote. Returns where what comes after it begins. */
function endOfString(text: string, at: number): number {
  for (let from = at + 1; ;) {
    const end = text.indexOf('"', from);
    if (end === -1) return text.length;
    let before = end - 1;
    while (before >= from && text.charCodeAt(before) === backslash) before--;
    // A quote behind an odd number of them is one of the text.
    if ((end - before) % 2 === 1) return end + 1;
    from = end + 1;
  }
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isWord = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f || byte >= 0x80;

/** Two of 32 bits, side by side. */
class Hash {
  #a = 0x811c9dc5;
  #b = 0x9e3779b9;

  byte(byte: number): void {
    this.#a = Math.imul(this.#a ^ byte, 0x01000193);
    this.#b = Math.imul(this.#b ^ byte, 0x5bd1e995) ^ (this.#b >>> 15);
  }

  text(text: string, start: number, end: number): void {
    let a = this.#a;
    let b = this.#b;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 15);
    }
    this.#a = a;
    this.#b = b;
    this.byte(0);
  }

  /** A word with a digit in it counts as a number. */
  words(text: string, start: number, end: number): void {
    for (let at = start; at < end;) {
      const from = at;
      let hasDigit = false;
      for (; at < end && isWord(text.charCodeAt(at)); at++) hasDigit ||= isDigit(text.charCodeAt(at));
      if (hasDigit) this.byte(0x30);
      else for (let of = from; of < at; of++) this.byte(text.charCodeAt(of));
      if (at < end) this.byte(text.charCodeAt(at++));
    }
    this.byte(0);
  }

  number(number: number): void {
    for (let rest = number, left = 7; left > 0; rest = Math.floor(rest / 256), left--) this.byte(rest % 256);
  }

  value(): number {
    return (this.#a >>> 0) * 0x200000 + ((this.#b >>> 0) & 0x1fffff);
  }
}
