/** The tokens of a script, as far as brackets, names and what may be mistaken for them need it. */

export interface Token {
  kind: number;
  start: number;
  end: number;
}

/** Kinds of tokens: these, else the character code of a punctuator. */
export const word = 1;
export const string = 2;
const number = 3;
const regex = 4;
export const arrow = 5;
const none = 0;

export const openParen = 0x28;
export const closeParen = 0x29;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const comma = 0x2c;
export const semicolon = 0x3b;
export const colon = 0x3a;
export const question = 0x3f;
export const equals = 0x3d;
export const dot = 0x2e;
export const slash = 0x2f;
export const star = 0x2a;
export const backtick = 0x60;
const backslash = 0x5c;
const newline = 0x0a;

/** After these, a slash begins a regular expression and a brace an object. */
export const beforeValue: ReadonlySet<string> = new Set(
  'return typeof case do else in instanceof new void delete throw yield await of default extends'.split(' '),
);
/** Longer regular expressions are none. */
const longestRegex = 16_384;

export const isWordCode = (char: number): boolean =>
  (char >= 0x61 && char <= 0x7a) ||
  (char >= 0x41 && char <= 0x5a) ||
  (char >= 0x30 && char <= 0x39) ||
  char === 0x24 ||
  char === 0x5f ||
  char === 0x23 ||
  char === 0x5c ||
  (char > 0x7f && !isSpaceCode(char));
export const isDigit = (char: number): boolean => char >= 0x30 && char <= 0x39;
function isSpaceCode(char: number): boolean {
  return char <= 0x20 || char === 0xa0 || char === 0xfeff || char === 0x2028 || char === 0x2029;
}

/** Reads tokens one by one and remembers the last few. */
export class TokenReader {
  protected readonly text: string;
  protected at = 0;
  /** The last tokens, the newest first. */
  protected readonly last: [Token, Token, Token, Token, Token, Token];
  /** Whether the bracket that was closed last was that of an `if` or the like. */
  protected isAfterControl = false;
  /** Slashes that were taken for the beginning of a regular expression and were none. */
  protected wrongRegexes = 0;

  constructor(text: string) {
    this.text = text;
    const token = (): Token => ({ kind: none, start: 0, end: 0 });
    this.last = [token(), token(), token(), token(), token(), token()];
  }

  protected push(kind: number, start: number): void {
    const last = this.last;
    const reused = last[5];
    [last[5], last[4], last[3], last[2], last[1]] = [last[4], last[3], last[2], last[1], last[0]];
    reused.kind = kind;
    reused.start = start;
    reused.end = this.at;
    last[0] = reused;
  }

  /** The text of a word that may be a keyword, else nothing. */
  protected wordAt({ kind, start, end }: Token): string {
    return kind === word && end - start <= 12 ? this.text.slice(start, end) : '';
  }

  /** Whether a slash divides here. */
  protected isAfterValue(): boolean {
    const token = this.last[0];
    if (token.kind === word) return !beforeValue.has(this.wordAt(token));
    if (token.kind === closeParen) return !this.isAfterControl;
    return (
      token.kind === string ||
      token.kind === number ||
      token.kind === regex ||
      token.kind === closeBracket ||
      token.kind === closeBrace
    );
  }

  /** Space and comments; true when a line ended in them. */
  protected skipBlank(): boolean {
    const text = this.text;
    let isNewLine = false;
    while (this.at < text.length) {
      const char = text.charCodeAt(this.at);
      if (isSpaceCode(char)) {
        isNewLine ||= char === newline;
        this.at++;
      } else if (char === slash && text.charCodeAt(this.at + 1) === slash) this.skipLine();
      else if (char === slash && text.charCodeAt(this.at + 1) === star) {
        const end = text.indexOf('*/', this.at + 2);
        this.at = end < 0 ? text.length : end + 2;
      } else break;
    }
    return isNewLine;
  }

  protected skipLine(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  protected readString(start: number, quote: number): boolean {
    const text = this.text;
    let at = start + 1;
    for (; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === backslash) at++;
      else if (char === quote || char === newline) break;
    }
    this.at = Math.min(at + 1, text.length);
    this.push(string, start);
    return true;
  }

  /** From `from` on to the end of the template, to its next expression, or to the end of the text. */
  protected readTemplate(start: number, from: number): 'end' | 'expression' | 'cut' {
    const text = this.text;
    for (let at = from; at < text.length; at++) {
      const char = text.charCodeAt(at);
      if (char === backslash) at++;
      else if (char === backtick) {
        this.at = at + 1;
        this.push(string, start);
        return 'end';
      } else if (char === 0x24 && text.charCodeAt(at + 1) === openBrace) {
        this.at = at + 2;
        return 'expression';
      }
    }
    return 'cut';
  }

  protected readNumber(start: number): boolean {
    let char: number;
    do char = this.text.charCodeAt(++this.at);
    while (isWordCode(char) || char === dot);
    this.push(number, start);
    return true;
  }

  /** False when it is no regular expression after all. */
  protected readRegex(start: number): boolean {
    const text = this.text;
    const stop = Math.min(text.length, start + longestRegex);
    let inClass = false;
    for (let at = start + 1; at < stop; at++) {
      const char = text.charCodeAt(at);
      if (char === newline) break;
      if (char === backslash) at++;
      else if (char === openBracket) inClass = true;
      else if (char === closeBracket) inClass = false;
      else if (char === slash && !inClass) {
        do at++;
        while (isWordCode(text.charCodeAt(at)));
        this.at = at;
        this.push(regex, start);
        return true;
      }
    }
    this.wrongRegexes++;
    return false;
  }
}
