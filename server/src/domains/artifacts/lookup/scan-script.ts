/**
 * Finds the functions of a script by its brackets and the few tokens before them. No syntax tree is made, so that memory stays
 * near the size of the script. Where the brackets do not match, the scan ends: code from there on is of no known function.
 */
import { NumberList } from './bytes.ts';
import type { Frame, ParenRole, ScannedFunctions, Site } from './script-frames.ts';
import {
  arrow,
  backtick,
  beforeValue,
  closeBrace,
  closeBracket,
  closeParen,
  colon,
  comma,
  dot,
  equals,
  isDigit,
  isWordCode,
  openBrace,
  openBracket,
  openParen,
  question,
  semicolon,
  slash,
  star,
  string,
  TokenReader,
  word,
  type Token,
} from './script-tokens.ts';

const control: ReadonlySet<string> = new Set(['if', 'for', 'while', 'with', 'switch', 'catch', 'await']);
const continuing: ReadonlySet<string> = new Set(['in', 'instanceof', 'of']);
const beforeObject: ReadonlySet<number> = new Set([...'(,=[!&|?+-*/%^~<>.'].map((sign) => sign.charCodeAt(0)));
const maxWrongRegexes = 1000;
/** Deeper brackets than a person or a tool writes. */
const deepest = 100_000;
const maxFunctions = 4_000_000;

export function scanScript(text: string): ScannedFunctions {
  return new Scanner(text).scan();
}

class Scanner extends TokenReader {
  readonly #frames: Frame[] = [];
  #function: { readonly start: number; site: Site | undefined } | undefined;
  #class: { readonly depth: number; site: Site | undefined } | undefined;
  /** Of the bracket that was closed last, and of the arrow that was read last. */
  #closed: ParenRole | undefined;
  #arrow: { readonly start: number; readonly site: Site | undefined } | undefined;
  /** The function body with braces that ended last. */
  #ended: { readonly id: number; readonly isInferred: boolean; readonly at: number } | undefined;
  readonly #found: ScannedFunctions = {
    starts: new NumberList(),
    ends: new NumberList(),
    sites: new NumberList(),
    nameStarts: new NumberList(),
    nameEnds: new NumberList(),
  };

  scan(): ScannedFunctions {
    if (this.text.startsWith('#!')) this.skipLine();
    while (this.#skipSpace() && this.#read() && this.#found.starts.length <= maxFunctions);
    for (let frame = this.#frames.pop(); frame; frame = this.#frames.pop()) this.#end(frame, this.at);
    return this.#found;
  }

  /** Reads a token; false where the script makes no sense. */
  #read(): boolean {
    const text = this.text;
    const start = this.at;
    const char = text.charCodeAt(start);
    if (char === 0x22 || char === 0x27) return this.readString(start, char);
    if (char === backtick) return this.#template(start, start + 1);
    if (isDigit(char) || (char === dot && isDigit(text.charCodeAt(start + 1)))) return this.readNumber(start);
    if (isWordCode(char)) return this.#readWord(start);
    if (char === slash && !this.isAfterValue()) {
      if (this.readRegex(start)) return true;
      if (this.wrongRegexes > maxWrongRegexes) return false;
    }
    this.at++;
    switch (char) {
      case openParen:
        this.#forgetCalled();
        return this.#openParen(start);
      case dot:
        this.#forgetCalled();
        break;
      case openBracket:
        return this.#open({ kind: 'bracket' }, openBracket, start);
      case openBrace:
        return this.#open(this.#frameOfBrace(), openBrace, start);
      case closeParen:
      case closeBracket:
      case closeBrace:
        return this.#close(char, start);
      case comma:
      case semicolon:
        this.#endArrows(start);
        break;
      case question:
        this.#readQuestion();
        break;
      case colon:
        this.#endTernary(start);
        break;
      case equals:
        if (text.charCodeAt(this.at) === 0x3e) return this.#readArrow(start);
        break;
      case 0x2b:
      case 0x2d:
        // After `a++` a slash divides, as it does after `a`.
        if (text.charCodeAt(this.at) === char) {
          this.at++;
          return true;
        }
        break;
    }
    this.push(char, start);
    return true;
  }

  /** False at the end of the text. */
  #skipSpace(): boolean {
    if (this.skipBlank() && this.#frames.at(-1)?.kind === 'arrow') this.#endLine();
    return this.at < this.text.length;
  }

  #template(start: number, from: number): boolean {
    const end = this.readTemplate(start, from);
    return end === 'expression' ? this.#open({ kind: 'template' }, openParen, start) : end === 'end';
  }

  /** Without a semicolon, an arrow function ends where a line can only begin a statement. */
  #endLine(): void {
    if (!this.isAfterValue() || !isWordCode(this.text.charCodeAt(this.at))) return;
    const next = /^\w{1,12}/.exec(this.text.slice(this.at, this.at + 13))?.[0] ?? '';
    if (!continuing.has(next)) this.#endArrows(this.at);
  }

  #readWord(start: number): boolean {
    const text = this.text;
    let at = start + 1;
    // `#` begins a word: `static#a` is two.
    for (let char = text.charCodeAt(at); isWordCode(char) && char !== 0x23; char = text.charCodeAt(at)) at++;
    this.at = at;
    const before = this.last[0];
    if (this.#function) {
      if (before.kind === star || this.wordAt(before) === 'function')
        this.#function.site = { at: start, start, end: at };
      else this.#function = undefined;
    }
    const length = at - start;
    if (before.kind !== dot && length === 8 && text.startsWith('function', start)) {
      const first = this.wordAt(before) === 'async' ? 1 : 0;
      this.#function = { start, site: this.#siteBefore(first) };
    } else if (before.kind !== dot && length === 5 && text.startsWith('class', start)) {
      this.#class = { depth: this.#frames.length, site: this.#siteBefore(0) };
    } else if (this.#class && this.wordAt(before) === 'class' && !(length === 7 && text.startsWith('extends', start))) {
      this.#class.site = { at: start, start, end: at };
    }
    this.push(word, start);
    return true;
  }

  /** The name that `name =` or `name:` gives to what follows token `index`. */
  #siteBefore(index: number): Site | undefined {
    const sign = this.last[index];
    const name = this.last[index + 1];
    const frame = this.#frames.at(-1);
    // Brackets around a function change nothing.
    if (frame?.kind === 'paren' && sign?.start === frame.at) return frame.role.arrowSite;
    if (!sign || !name || (sign.kind !== equals && sign.kind !== colon)) return undefined;
    const { kind, start, end } = name;
    if (sign.kind === colon) {
      // `a ? b : function…` names nothing.
      const before = this.last[index + 2]?.kind;
      if (frame?.kind !== 'object' || (before !== comma && before !== openBrace)) return undefined;
      if (kind === string) return { at: start, start: start + 1, end: end - 1, isInferred: true };
    }
    return kind === word ? { at: start, start, end, isInferred: true } : undefined;
  }

  #open(frame: Frame, kind: number, start: number): boolean {
    this.#frames.push(frame);
    this.push(kind, start);
    return this.#frames.length <= deepest;
  }

  #openParen(start: number): boolean {
    const before = this.last[0];
    const text = this.wordAt(before);
    const waiting = this.#function;
    this.#function = undefined;
    const around = this.#frames.at(-1)?.kind;
    // A method may have any name.
    const isControl = control.has(text) && this.last[1].kind !== dot && around !== 'class' && !this.#isKey();
    const isNamed = !waiting && !isControl && (before.kind === word || before.kind === string);
    const role: ParenRole = {
      isParams: waiting !== undefined,
      isControl,
      site: waiting ? waiting.site : isNamed ? this.#siteOfMethod(before) : undefined,
      isMethod: isNamed || before.kind === closeBracket,
      arrowSite: this.#siteBefore(text === 'async' ? 1 : 0),
      start: waiting ? (waiting.site && waiting.site.at > waiting.start ? waiting.site.at : waiting.start) : start,
    };
    return this.#open({ kind: 'paren', at: start, role }, openParen, start);
  }

  /** Whether the last token is where an object has a key. */
  #isKey(): boolean {
    const before = this.last[1].kind;
    return this.#frames.at(-1)?.kind === 'object' && (before === comma || before === openBrace);
  }

  #siteOfMethod({ kind, start, end }: Token): Site | undefined {
    const frame = this.#frames.at(-1);
    if (frame?.kind === 'class' && end - start === 11 && this.text.startsWith('constructor', start)) return frame.site;
    return kind === string ? { at: start, start: start + 1, end: end - 1 } : { at: start, start, end };
  }

  #readArrow(start: number): boolean {
    this.at++;
    const [before, second] = this.last;
    if (before.kind === closeParen)
      this.#arrow = { start: this.#closed?.start ?? start, site: this.#closed?.arrowSite };
    else if (this.wordAt(second) === 'async') this.#arrow = { start: second.start, site: this.#siteBefore(2) };
    else this.#arrow = { start: before.start, site: this.#siteBefore(1) };
    this.push(arrow, start);
    if (!this.#skipSpace() || this.text.charCodeAt(this.at) === openBrace) return true;
    this.#frames.push({ kind: 'arrow', id: this.#begin(this.#arrow.start, this.#arrow.site), waiting: 0 });
    return this.#frames.length <= deepest;
  }

  #frameOfBrace(): Frame {
    const before = this.last[0];
    if (before.kind === arrow && this.#arrow) return this.#body(this.#arrow.start, this.#arrow.site);
    if (this.#class?.depth === this.#frames.length) {
      const { site } = this.#class;
      this.#class = undefined;
      return { kind: 'class', site };
    }
    if (before.kind === closeParen && this.#closed && (this.#closed.isParams || this.#closed.isMethod))
      return this.#body(this.#closed.start, this.#closed.site);
    return { kind: this.#isBeforeObject(before) ? 'object' : 'block' };
  }

  #body(start: number, site: Site | undefined): Frame {
    return { kind: 'body', id: this.#begin(start, site), isInferred: site?.isInferred === true };
  }

  /** `a = function () {…}()` names nothing: what it is assigned to is something else. */
  #forgetCalled(): void {
    const [last, second] = this.last;
    const brace = last.kind === closeParen ? second : last;
    if (this.#ended?.isInferred && brace.kind === closeBrace && brace.start === this.#ended.at)
      this.#found.sites.set(this.#ended.id, 0);
  }

  #isBeforeObject(before: Token): boolean {
    const text = this.wordAt(before);
    if (before.kind === word) return text !== 'do' && text !== 'else' && beforeValue.has(text);
    if (before.kind !== colon) return beforeObject.has(before.kind);
    // After a label or `case 1:` stands a block.
    const around = this.#frames.at(-1)?.kind;
    return around === 'object' || around === 'paren' || around === 'bracket';
  }

  #begin(start: number, site: Site | undefined): number {
    this.#found.starts.push(start);
    this.#found.ends.push(0);
    this.#found.sites.push(site ? site.at + 1 : 0);
    this.#found.nameStarts.push(site?.start ?? 0);
    this.#found.nameEnds.push(site?.end ?? 0);
    return this.#found.starts.length - 1;
  }

  #end(frame: Frame, at: number): void {
    if (frame.kind === 'body' || frame.kind === 'arrow') this.#found.ends.set(frame.id, at);
  }

  #endArrows(at: number): void {
    for (let frame = this.#frames.at(-1); frame?.kind === 'arrow'; frame = this.#frames.at(-1)) {
      this.#end(frame, at);
      this.#frames.pop();
    }
  }

  #close(char: number, start: number): boolean {
    this.#endArrows(start);
    const frame = this.#frames.pop();
    if (!frame) return false;
    if (
      char === closeBrace
        ? frame.kind === 'paren' || frame.kind === 'bracket'
        : frame.kind !== (char === closeParen ? 'paren' : 'bracket')
    ) {
      this.#frames.push(frame);
      return false;
    }
    if (frame.kind === 'template') return this.#template(start, this.at);
    if (frame.kind === 'paren') {
      this.#closed = frame.role;
      this.isAfterControl = frame.role.isControl;
    }
    this.#end(frame, this.at);
    this.push(char, start);
    if (frame.kind === 'body') this.#ended = { id: frame.id, isInferred: frame.isInferred, at: start };
    return true;
  }

  /** `?.` and `??` wait for no `:`. */
  #readQuestion(): void {
    const next = this.text.charCodeAt(this.at);
    if (next === question) this.at++;
    else if (next !== dot || isDigit(this.text.charCodeAt(this.at + 1))) {
      const frame = this.#frames.at(-1);
      if (frame?.kind === 'arrow') frame.waiting++;
    }
  }

  #endTernary(at: number): void {
    for (let frame = this.#frames.at(-1); frame?.kind === 'arrow'; frame = this.#frames.at(-1)) {
      if (frame.waiting > 0) {
        frame.waiting--;
        return;
      }
      this.#end(frame, at);
      this.#frames.pop();
    }
  }
}
