/**
 * Reads a search query: filters `key:value` and free text, joined by AND, OR and parentheses. Never throws; every
 * problem has its place, and reading goes on after it. Length, terms and depth are bounded, so that even a query made to
 * be slow is read in a moment.
 */
import { filterAt } from './head.ts';
import { quotedEnd, unescapeQuotes, unquote, wordEnd } from './quotes.ts';
import { type Because, because } from './reasons.ts';
import { TermReader } from './term.ts';
import { checkAlternatives, treeOf } from './tree.ts';
import type { DataSet, ParsedSearch, ParseOptions, ProblemCode, SearchItem, SearchProblem } from './types.ts';
import { hasWildcard } from './values.ts';

export const maxLength = 4096;
const maxTerms = 100;
const maxDepth = 10;

const blank = /\s/;
/** AND or OR that stands alone. */
export function operatorAt(query: string, at: number): 'and' | 'or' | undefined {
  const word = /^(?:and|or)(?=[\s()]|$)/i.exec(query.slice(at, at + 4))?.[0];
  return word?.toLowerCase() as 'and' | 'or' | undefined;
}

/** Reads a query. `options` say what a place of use does not allow. */
export function parseSearch(query: string, dataSet: DataSet = 'issues', options: ParseOptions = {}): ParsedSearch {
  if (query.length > maxLength) {
    const why = because('tooLong', { max: String(maxLength) });
    const problem: SearchProblem = { code: 'too-long', ...why, at: '', start: 0, end: query.length };
    return { dataSet, items: [], root: undefined, problems: [problem] };
  }
  const reader = new Reader(query, dataSet, options);
  const items = reader.readItems(0);
  const problems = [...reader.problems, ...checkAlternatives(items)];
  return { dataSet, items, root: treeOf(items), problems };
}

class Reader {
  readonly problems: SearchProblem[] = [];
  readonly #query: string;
  readonly #options: ParseOptions;
  readonly #terms: TermReader;
  #at = 0;
  #count = 0;
  /** Once a limit is passed nothing more is read. */
  #stopped = false;
  /** Start and end of the run of words that is being read as free text. */
  #textStart = -1;
  #textEnd = -1;

  constructor(query: string, dataSet: DataSet, options: ParseOptions) {
    this.#query = query;
    this.#options = options;
    this.#terms = new TermReader(query, dataSet, options, this.problems);
  }

  /** Up to the end of the query, or to the parenthesis that closes the group. */
  readItems(depth: number): SearchItem[] {
    const items: SearchItem[] = [];
    while (!this.#stopped && this.#skipBlanks(items)) {
      const at = this.#at;
      if (this.#count + this.problems.length >= maxTerms) {
        this.#stop('too-many-terms', because('tooManyTerms', { max: String(maxTerms) }), at);
      } else if (this.#query[at] === '(') {
        this.#readParenthesis(items, depth);
      } else if (this.#query[at] === ')') {
        if (depth > 0) break;
        this.#endText(items);
        this.#problem('syntax', because('notOpen'), ')', at, at + 1);
        this.#at += 1;
      } else if (!this.#readOperator(items) && !this.#readFilter(items) && !this.#readQuoted(items)) {
        this.#readWord();
      }
    }
    this.#endText(items);
    const last = items.at(-1);
    if (last?.kind === 'operator') this.#misplaced(last.operator, last.start);
    return items;
  }

  #problem(code: ProblemCode, why: Because, at: string, start: number, end: number): void {
    this.problems.push({ code, ...why, at, start, end });
  }

  #stop(code: ProblemCode, why: Because, start: number): void {
    this.#stopped = true;
    this.#problem(code, why, '', start, this.#query.length);
  }

  #add(items: SearchItem[], item: SearchItem): void {
    this.#count += 1;
    items.push(item);
  }

  #misplaced(operator: 'and' | 'or', start: number): void {
    const word = operator.toUpperCase();
    this.#problem('syntax', because('operatorAlone', { operator: word }), word, start, start + word.length);
  }

  /** False at the end of the query. */
  #skipBlanks(items: SearchItem[]): boolean {
    for (; this.#at < this.#query.length; this.#at += 1) {
      const character = this.#query[this.#at] ?? '';
      if (!blank.test(character)) return true;
      if (character === '\n' || character === '\r') {
        this.#endText(items);
        if (!this.problems.some((problem) => problem.at === '\n')) {
          this.#problem('syntax', because('lineBreak'), '\n', this.#at, this.#at + 1);
        }
      }
    }
    return false;
  }

  #readOperator(items: SearchItem[]): boolean {
    const operator = operatorAt(this.#query, this.#at);
    if (!operator) return false;
    this.#endText(items);
    const start = this.#at;
    this.#at += operator.length;
    const word = operator.toUpperCase() as 'AND' | 'OR';
    const last = items.at(-1);
    if (this.#options.disallowedLogicalOperators?.includes(word)) {
      this.#problem(
        `logic-${operator}-not-allowed`,
        because('operatorNotAllowed', { operator: word }),
        word,
        start,
        this.#at,
      );
    } else if (!last || last.kind === 'operator') this.#misplaced(operator, start);
    else this.#add(items, { kind: 'operator', operator, start, end: this.#at });
    return true;
  }

  #readFilter(items: SearchItem[]): boolean {
    const head = filterAt(this.#query, this.#at);
    if (!head) return false;
    const read = this.#terms.read(head);
    // A call that is none is text.
    if (!read) return false;
    this.#endText(items);
    this.#at = read.end;
    if (read.term) this.#add(items, read.term);
    return true;
  }

  #readQuoted(items: SearchItem[]): boolean {
    const start = this.#at;
    const end = this.#query[start] === '"' ? quotedEnd(this.#query, start) : -1;
    if (end < 0) return false;
    this.#endText(items);
    this.#at = end;
    this.#addText(items, unquote(this.#query.slice(start, end)), true, start, end);
    return true;
  }

  #readWord(): void {
    if (this.#textStart < 0) this.#textStart = this.#at;
    this.#at = this.#textEnd = wordEnd(this.#query, this.#at);
  }

  #endText(items: SearchItem[]): void {
    const [start, end] = [this.#textStart, this.#textEnd];
    if (start < 0) return;
    this.#textStart = -1;
    this.#addText(items, unescapeQuotes(this.#query.slice(start, end)), false, start, end);
  }

  #addText(items: SearchItem[], text: string, quoted: boolean, start: number, end: number): void {
    if (this.#options.disallowFreeText) {
      this.#problem('free-text-not-allowed', because('textNotAllowed'), text, start, end);
    } else if (this.#options.disallowWildcard && hasWildcard(text)) {
      this.#problem('wildcard-not-allowed', because('wildcardsNotAllowed'), text, start, end);
    } else this.#add(items, { kind: 'text', text, quoted, start, end });
  }

  #readParenthesis(items: SearchItem[], depth: number): void {
    const start = this.#at;
    const textEnd = this.#textStart < 0 ? -1 : this.#parenthesisOfText(start, 0);
    if (textEnd >= 0) {
      this.#at = this.#textEnd = textEnd;
      return;
    }
    if (this.#textEnd === start && this.#textStart >= 0 && this.#query[start - 1] === '!') {
      this.#problem('syntax', because('groupNegated'), '!', start - 1, start);
    }
    this.#endText(items);
    if (depth === maxDepth) {
      this.#stop('too-deep', because('tooDeep', { max: String(maxDepth) }), start);
      return;
    }
    this.#at += 1;
    const before = this.problems.length;
    const inside = this.readItems(depth + 1);
    if (this.#stopped) return;
    if (this.#query[this.#at] !== ')') {
      this.#problem('syntax', because('notClosed'), '(', start, start + 1);
    } else this.#at += 1;
    if (inside.length) this.#add(items, { kind: 'group', items: inside, start, end: this.#at });
    // What could not be read inside has been said already.
    else if (this.problems.length === before) {
      this.#problem('syntax', because('emptyParentheses'), '()', start, this.#at);
    }
  }

  /** Where a parenthesis within text ends that holds nothing but text; -1 when it holds more or is not closed. */
  #parenthesisOfText(open: number, depth: number): number {
    const query = this.#query;
    let at = open + 1;
    while (at < query.length) {
      const character = query[at] ?? '';
      if (character === ')') return at + 1;
      if (character === '(') {
        at = depth < maxDepth ? this.#parenthesisOfText(at, depth + 1) : -1;
        if (at < 0) return -1;
      } else if (character === '\n' || character === '\r') return -1;
      else if (blank.test(character)) at += 1;
      else {
        const head = filterAt(query, at);
        if (operatorAt(query, at) || (head && this.#terms.isFilter(head))) return -1;
        at = wordEnd(query, at);
      }
    }
    return -1;
  }
}
