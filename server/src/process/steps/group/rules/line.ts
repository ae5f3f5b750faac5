/** Reads one line of rules from left to right. */
import { ruleProblems } from '../../../../base/texts/rules.ts';
import type { RuleProblem } from './problem.ts';

/** What is wrong at a place; caught where the line was started. */
export class LineError extends Error {
  readonly start: number;
  readonly end: number;
  constructor(message: string, start: number, end: number) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

const name = /[a-zA-Z0-9_.-]+/y;
const quotedName = /"([a-zA-Z0-9_.:-]+)"/y;

export class Line {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get rest(): string {
    return this.text.slice(this.at);
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  skipSpaces(): void {
    while (isSpace(this.text[this.at])) this.at++;
  }

  /** Whether the text stands here; it is read if so. */
  take(text: string): boolean {
    const found = this.text.startsWith(text, this.at);
    if (found) this.at += text.length;
    return found;
  }

  expect(text: string, message: string): void {
    if (!this.take(text)) this.fail(message);
  }

  /** A name, in quotes where it has colons; undefined when there is none. */
  takeName(): string | undefined {
    return this.match(quotedName)?.[1] ?? this.match(name)?.[0];
  }

  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found) this.at += found[0].length;
    return found ?? undefined;
  }

  /** What stands in quotes here, with its escapes resolved. */
  takeQuoted(): string {
    const start = this.at++;
    let value = '';
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) this.fail(ruleProblems.openQuotes, start);
      this.at++;
      if (char === '"') return value;
      value += char === '\\' ? this.takeEscape() : char;
    }
  }

  private takeEscape(): string {
    const char = this.text[this.at++] ?? '';
    const code = /^(?:u([\da-fA-F]{4})|x([\da-fA-F]{2}))/.exec(this.text.slice(this.at - 1, this.at + 4));
    if (code) {
      this.at += code[0].length - 1;
      return String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? '', 16));
    }
    return Object.hasOwn(escapes, char) ? (escapes[char] ?? char) : `\\${char}`;
  }

  /** Up to the next space. */
  takeWord(): string {
    const start = this.at;
    while (!this.ended && !isSpace(this.text[this.at])) this.at++;
    return this.text.slice(start, this.at);
  }

  /** From `start`, or from here to the end of the word. */
  fail(message: string, start: number = this.at, end?: number): never {
    let to = end ?? Math.max(this.at, start);
    if (end === undefined) while (to < this.text.length && !isSpace(this.text[to])) to++;
    throw new LineError(message, start, Math.max(to, start + 1));
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', "'": "'" };

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t';
}

export function toProblem({ message, start, end }: LineError, line: number): RuleProblem {
  return { line, column: start + 1, endColumn: end + 1, message };
}
