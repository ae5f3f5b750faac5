/** JSON with the place of each value in its text, so that who wrote it can be told what is wrong where. */
import { jsonTextProblems as said } from '../../../../base/texts/scrub-rules.ts';

interface At {
  /** Of the first character. */
  readonly start: number;
  /** Behind the last one. */
  readonly end: number;
}

export type JsonText = At & { readonly kind: 'text'; readonly text: string };
export type JsonMember = { readonly name: JsonText; readonly value: JsonNode };
export type JsonMembers = At & { readonly kind: 'object'; readonly members: readonly JsonMember[] };
export type JsonList = At & { readonly kind: 'list'; readonly entries: readonly JsonNode[] };
export type JsonPlain = At & { readonly kind: 'plain'; readonly value: number | boolean | null };
export type JsonNode = JsonText | JsonMembers | JsonList | JsonPlain;

export interface JsonFault extends At {
  readonly message: string;
}

/** Configurations are flat; what is deeper is none. */
const maxDepth = 20;

/** Never throws. */
export function readJsonText(text: string): { readonly node: JsonNode } | { readonly fault: JsonFault } {
  const reader = new Reader(text);
  try {
    return { node: reader.whole() };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault };
    throw error;
  }
}

class Fault extends Error {
  readonly fault: JsonFault;

  constructor(fault: JsonFault) {
    super(fault.message);
    this.fault = fault;
  }
}

const plain = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\r\n]*/y;
const word = /[^\s,:{}[\]"]*/y;
const literal = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\.)*"/uy;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): JsonNode {
    const node = this.#value();
    this.#skip();
    if (this.#at < this.#text.length) this.#refuse(said.more);
    return node;
  }

  #skip(): void {
    space.lastIndex = this.#at;
    space.test(this.#text);
    this.#at = space.lastIndex;
  }

  #refuse(message: string, start = this.#at, end?: number): never {
    word.lastIndex = start;
    word.test(this.#text);
    throw new Fault({ message, start, end: end ?? Math.max(word.lastIndex, start + 1) });
  }

  #value(): JsonNode {
    this.#skip();
    const start = this.#at;
    const first = this.#text[start];
    if (first === undefined) this.#refuse(said.ends);
    if (first === '"') return this.#string();
    if (first === '{' || first === '[') {
      if (++this.#depth > maxDepth) this.#refuse(said.deep);
      const node = first === '{' ? this.#object() : this.#list();
      this.#depth--;
      return node;
    }
    plain.lastIndex = start;
    const found = plain.exec(this.#text)?.[0];
    if (found === undefined) this.#refuse(first === "'" ? said.singleQuotes : said.noValue);
    this.#at += found.length;
    return { kind: 'plain', value: JSON.parse(found) as number | boolean | null, start, end: this.#at };
  }

  #string(): JsonText {
    const start = this.#at;
    literal.lastIndex = start;
    const found = literal.exec(this.#text)?.[0];
    if (found === undefined) {
      const lineEnd = this.#text.indexOf('\n', start);
      this.#refuse(said.openText, start, lineEnd < 0 ? this.#text.length : lineEnd);
    }
    this.#at += found.length;
    try {
      return { kind: 'text', text: JSON.parse(found) as string, start, end: this.#at };
    } catch {
      return this.#refuse(said.escape, start, this.#at);
    }
  }

  #object(): JsonMembers {
    const start = this.#at++;
    const members: JsonMember[] = [];
    const names = new Set<string>();
    for (;;) {
      this.#skip();
      if (members.length === 0 && this.#takes('}')) break;
      if (this.#text[this.#at] !== '"') this.#refuse(said.noName);
      const name = this.#string();
      if (names.has(name.text)) this.#refuse(said.twice(name.text), name.start, name.end);
      names.add(name.text);
      this.#skip();
      if (!this.#takes(':')) this.#refuse(said.noColon);
      members.push({ name, value: this.#value() });
      this.#skip();
      if (this.#takes('}')) break;
      if (!this.#takes(',')) this.#refuse(said.noComma);
    }
    return { kind: 'object', members, start, end: this.#at };
  }

  #list(): JsonList {
    const start = this.#at++;
    const entries: JsonNode[] = [];
    for (;;) {
      this.#skip();
      if (entries.length === 0 && this.#takes(']')) break;
      entries.push(this.#value());
      this.#skip();
      if (this.#takes(']')) break;
      if (!this.#takes(',')) this.#refuse(said.noComma);
    }
    return { kind: 'list', entries, start, end: this.#at };
  }

  #takes(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }
}

/** Where the character of a text stands in the JSON: escapes take more than one. */
export function placeInText(json: string, { start, end }: At, index: number): number {
  let at = start + 1;
  for (let left = index; left > 0 && at < end - 1; left--) {
    if (json[at] === '\\') at += json[at + 1] === 'u' ? 6 : 2;
    else at++;
  }
  return at;
}
