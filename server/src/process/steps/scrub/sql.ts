/**
 * Values in SQL that stand apart from their names: in `INSERT INTO t (email, password) VALUES (…)` by the place in the
 * list, in `password IN (…)` and `IDENTIFIED BY '…'` behind words. `password = '…'` is the matter of `named.ts`. Each
 * statement is read once from left to right.
 */
import { filtered, type ScrubRules } from './rules.ts';

/** Between the columns and their values: `OVERRIDING SYSTEM VALUE`, `OUTPUT inserted.id`. */
const maxBetween = 200;
/** A quote that is not closed within so much is cut. */
const maxQuoted = 16_384;

const into = /\binto\s{1,20}[\w."`[\]\\$-]{1,200}\s{0,20}\(/giy;
const columnsAt = /[^()]{1,4000}\)/y;
const intoWord = /\binto\b/gi;
const values = /\bvalues?\s{0,20}\(/i;
const compared =
  /([\w$]{3,80})\\{0,3}["`\]]?\s{1,20}(?:not\s{1,20})?(?:in\s{0,20}\(|(?:i?like|rlike|regexp|<>|!=|is\s{1,20}distinct\s{1,20}from)\s{0,20}(?=["']))|([\w$]{3,80})\\{0,3}["`\]]?(?:<>|!=)(?=["'])/giy;
const comparedWord = /\b(?:in|i?like|rlike|regexp|from)\b|<>|!=/gi;
/** A name, and words between it and the operator. */
const maxBefore = 150;
const nameAtEnd = /[\w$]{3,80}\\{0,3}["`\]]?\s{0,20}(?:(?:not|is|is\s{1,20}distinct)\s{1,20})?$/i;
const spoken =
  /\b(?:identified\s{1,20}(?:with\s{1,20}[\w"'`]{1,80}\s{1,20})?(?:by|as)|password(?:\s{1,20}(?:to|for\s{1,20}\S{1,80}\s{0,3}=))?)\s{1,20}(?:password\s{1,20})?(?=')/gi;
/** What PostgreSQL says of a row that it refused: values alone, in the order of the table. */
const failingRow = /\bfailing row contains \(/gi;
/** Values may hold brackets, too. */
const rowEnd = /\)(?=[.\s"'\\]|$)/g;
const key = /\bkey \(([\w", ]{1,400})\)=\(/gi;
const parameters = /\[parameters: [([]\s{0,3}[([]?/i;

/** What a value is given later by: no value. */
const standIn =
  /^(?:\?|["']?\$?\{[^{}]{0,200}\}["']?|\$\d+|%s|%\(\w{1,80}\)s|[:@]\w+|null|default|true|false|\[filtered\])$/i;

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The text without the values of sensitive columns; the same string where there are none. `isCode`: a line of source, in
 * which `token in (…)` may be no SQL, and nothing is said by a database.
 */
export function hideSql(text: string, rules: ScrubRules, isCode = false): string {
  const found: Span[] = [...insertedValues(text, rules)];
  if (!isCode) found.push(...comparedValues(text, rules), ...keyValues(text, rules));
  if (rules.defaults) {
    if (!isCode) found.push(...failingRows(text));
    for (const { index, 0: whole } of text.matchAll(spoken))
      found.push(...literalAt(text, index + whole.length).map((span) => inner(text, span)));
  }
  let safe = '';
  let done = 0;
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    if (start < done || start >= end) continue;
    safe += text.slice(done, start) + filtered;
    done = end;
  }
  return done === 0 ? text : safe + text.slice(done);
}

function* failingRows(text: string): Generator<Span> {
  let done = 0;
  for (const { index, 0: whole } of text.matchAll(failingRow)) {
    if (index < done) continue;
    const start = index + whole.length;
    rowEnd.lastIndex = start;
    done = rowEnd.exec(text)?.index ?? text.length;
    yield { start, end: done };
  }
}

/** Behind the bracket; -1 where there are none. */
function parametersOf(text: string): number {
  const found = parameters.exec(text);
  return found ? found.index + found[0].length : -1;
}

function* insertedValues(text: string, rules: ScrubRules): Generator<Span> {
  let done = 0;
  let given: number | undefined;
  for (const { index } of text.matchAll(intoWord)) {
    if (index < done) continue;
    into.lastIndex = index;
    if (!into.test(text)) continue;
    const open = into.lastIndex;
    columnsAt.lastIndex = open;
    const list = columnsAt.exec(text)?.[0];
    if (list === undefined) continue;
    const columns = list.slice(0, -1).split(',');
    done = open + list.length;
    const secret = columns.map((column) => rules.key(column.replaceAll(/[\s"'`[\]\\]/g, '')) === 'sensitive');
    if (!secret.includes(true)) continue;
    const between = values.exec(text.slice(done, done + maxBetween));
    if (!between) continue;
    let at = done + between.index + between[0].length;
    let isGiven = false;
    for (;;) {
      const { items, end } = listAt(text, at);
      for (const [place, item] of items.entries()) {
        if (!secret[place]) continue;
        if (standIn.test(text.slice(item.start, item.end))) isGiven = true;
        else yield inner(text, item);
      }
      done = at = end;
      const next = /^\)\s{0,20},\s{0,20}\(/.exec(text.slice(at, at + 50));
      if (!next) break;
      at += next[0].length;
    }
    // SQLAlchemy says beside the statement what its placeholders stood for.
    if (!isGiven) continue;
    given ??= parametersOf(text);
    if (given < done) continue;
    const { items, end } = listAt(text, given);
    for (const [place, item] of items.entries()) if (secret[place % secret.length]) yield inner(text, item);
    done = end;
  }
}

function* comparedValues(text: string, rules: ScrubRules): Generator<Span> {
  let done = 0;
  for (const { index } of text.matchAll(comparedWord)) {
    if (index < done) continue;
    const from = Math.max(done, index - maxBefore);
    const before = nameAtEnd.exec(text.slice(from, index));
    if (!before) continue;
    compared.lastIndex = from + before.index;
    const match = compared.exec(text);
    const name = match?.[1] ?? match?.[2];
    if (!name || rules.key(name) !== 'sensitive') continue;
    const first = compared.lastIndex;
    const { items, end } =
      text[first - 1] === '(' ? listAt(text, first) : { items: literalAt(text, first), end: endOfQuoted(text, first) };
    done = end;
    for (const item of items) if (isQuoted(text, item)) yield inner(text, item);
  }
}

/** `Key (token)=(abc) already exists`. */
function* keyValues(text: string, rules: ScrubRules): Generator<Span> {
  for (const { index, 0: whole, 1: names = '' } of text.matchAll(key)) {
    if (!names.split(',').some((name) => rules.key(name.replaceAll(/[\s"]/g, '')) === 'sensitive')) continue;
    const start = index + whole.length;
    const end = text.slice(start, start + maxQuoted).indexOf(')');
    yield { start, end: end < 0 ? Math.min(text.length, start + maxQuoted) : start + end };
  }
}

const isQuoted = (text: string, { start }: Span): boolean => /^\\{0,8}["']/.test(text.slice(start, start + 9));

/** A text in quotes; none where something else stands there. */
function literalAt(text: string, at: number): Span[] {
  if (text[at] !== "'" && text[at] !== '"') return [];
  const end = endOfQuoted(text, at);
  return standIn.test(text.slice(at + 1, end - 1)) ? [] : [{ start: at, end }];
}

function inner(text: string, { start, end }: Span): Span {
  const opening = /^[bBeEnNrRuUxX]?\\{0,8}["']/.exec(text.slice(start, start + 10))?.[0];
  if (opening === undefined) return { start, end };
  const closing = /\\{0,8}["']$/.exec(text.slice(Math.max(start + opening.length, end - 9), end))?.[0] ?? '';
  return { start: start + opening.length, end: end - closing.length };
}

/** Behind the closing quote; the end of the text where it is missing. */
function endOfQuoted(text: string, at: number): number {
  const mark = text[at];
  const most = Math.min(text.length, at + maxQuoted);
  for (let index = at + 1; index < most; index++) {
    if (text[index] === '\\' && text[index + 1] !== undefined) index++;
    else if (text[index] === mark) {
      if (text[index + 1] !== mark) return index + 1;
      index++;
    }
  }
  return most;
}

/** What stands between commas from `at` to the bracket that closes the list, and where that is. */
function listAt(text: string, at: number): { readonly items: Span[]; readonly end: number } {
  const items: Span[] = [];
  let start = at;
  let depth = 0;
  const add = (end: number): void => {
    let [from, to] = [start, end];
    while (from < to && /\s/.test(text[from] ?? '')) from++;
    while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
    items.push({ start: from, end: to });
  };
  for (let index = at; index < text.length; index++) {
    const char = text[index];
    if (char === "'" || char === '"') index = endOfQuoted(text, index) - 1;
    else if (char === '(' || char === '[') depth++;
    else if (char === ',' && depth === 0) {
      add(index);
      start = index + 1;
    } else if ((char === ')' || char === ']') && depth-- === 0) {
      add(index);
      return { items, end: index };
    }
  }
  add(text.length);
  return { items, end: text.length };
}
