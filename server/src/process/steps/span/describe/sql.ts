/**
 * SQL without what differs from call to call. Literals and placeholders become `%s`, a list of them one, lists of
 * columns `..`; comments go. Tokens are read once from left to right, and so is their list.
 */

const longestQuery = 10_000;

interface Token {
  text: string;
  /** Whether white space stood before it. */
  readonly spaced: boolean;
}

const placeholder = '%s';
const token =
  /'(?:[^'\\]|''|\\[^])*'?|"(?:[^"\\]|""|\\[^])*"?|`[^`]*`?|%\(\w{1,64}\)s|%s|\$\d+|[:@]\w+|0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|[\p{L}_][\p{L}\p{N}_$]*|::|<=|>=|<>|!=|\|\||[^]/iuy;

export function withoutLiterals(sql: string, doubleQuotedText = false): string {
  const tokens = readTokens(sql.slice(0, longestQuery), doubleQuotedText);
  shortenSelects(tokens);
  return join(collapseLists(tokens));
}

function readTokens(sql: string, doubleQuotedText: boolean): Token[] {
  const tokens: Token[] = [];
  let before: Token | undefined;
  let at = 0;
  let spaced = false;
  while (at < sql.length) {
    const skipped = skipBlank(sql, at);
    if (skipped > at) {
      at = skipped;
      spaced = true;
      continue;
    }
    const text = sql.slice(at, endOfToken(sql, at));
    at += text.length;
    before = { text: isLiteral(text, before, doubleQuotedText) ? placeholder : text, spaced };
    tokens.push(before);
    spaced = false;
  }
  return tokens;
}

const [inWord, beginsWord, single] = [1, 3, 4];

/** What most of a query is made of, so that the expression is asked for the rest alone. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(char)) return beginsWord;
  if (/[\d$]/.test(char)) return inWord;
  return /[,().*=;+]/.test(char) ? single : 0;
});

function endOfToken(sql: string, at: number): number {
  const first = kinds[sql.charCodeAt(at)];
  if (first === single) return at + 1;
  if (first === beginsWord) {
    let end = at + 1;
    while (((kinds[sql.charCodeAt(end)] ?? 0) & inWord) !== 0) end++;
    // Letters beyond ASCII may follow.
    if (!(sql.charCodeAt(end) >= 128)) return end;
  }
  token.lastIndex = at;
  return token.test(sql) ? token.lastIndex : at + 1;
}

/** The end of the white space or comment at `at`; `at` where there is none. */
function skipBlank(sql: string, at: number): number {
  const char = sql.charCodeAt(at);
  if (char === 0x20 || (char >= 0x09 && char <= 0x0d)) return at + 1;
  if (sql.startsWith('--', at)) {
    const end = sql.indexOf('\n', at);
    return end < 0 ? sql.length : end + 1;
  }
  if (!sql.startsWith('/*', at)) return at;
  const end = sql.indexOf('*/', at + 2);
  return end < 0 ? sql.length : end + 2;
}

function isLiteral(text: string, before: Token | undefined, doubleQuotedText: boolean): boolean {
  const first = text[0] ?? '';
  if (first === "'" || text === '?' || text === placeholder || text.startsWith('%(')) return true;
  if (before?.text.length === savepoint.length && before.text.toLowerCase() === savepoint && isName(first)) return true;
  if (first === '"') return doubleQuotedText;
  if (first === '$' || first === ':' || first === '@') return text.length > 1 && text !== '::';
  return (first >= '0' && first <= '9') || ((text.length === 4 || text.length === 5) && /^(?:true|false)$/i.test(text));
}

const savepoint = 'savepoint';
const isName = (text: string): boolean => /^[\p{L}_"`]/u.test(text);

/** `SELECT a, b FROM` → `SELECT .. FROM`, at each depth of brackets; inserted columns are done by `collapseLists`. */
function shortenSelects(tokens: Token[]): void {
  const open: { start: number; commas: number }[] = [];
  const depths: ({ start: number; commas: number } | undefined)[] = [];
  let current: { start: number; commas: number } | undefined;
  for (let index = 0; index < tokens.length; index++) {
    const text = tokens[index]?.text ?? '';
    const { length } = text;
    const upper = length === 4 || length === 6 || length === 8 ? text.toUpperCase() : '';
    if (text === '(') {
      depths.push(current);
      current = undefined;
    } else if (text === ')') current = depths.pop();
    else if (upper === 'SELECT') current = { start: index + 1, commas: 0 };
    else if (upper === 'DISTINCT' && current?.start === index) current.start = index + 1;
    else if (text === ',' && current) current.commas++;
    else if (upper === 'FROM' && current) {
      if (current.commas > 0) open.push({ start: current.start, commas: index });
      current = undefined;
    }
  }
  // Inner lists end before the outer one that holds them: blanking twice does no harm.
  for (const { start, commas: end } of open) {
    const first = tokens[start];
    if (!first) continue;
    first.text = '..';
    for (let index = start + 1; index < end; index++) {
      const other = tokens[index];
      if (other) other.text = '';
    }
  }
}

/** `(%s, %s)` → `(%s)`, `(%s), (%s)` → `(%s)`, the columns of an INSERT → `(..)`. */
function collapseLists(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  let inInsert = false;
  for (let index = 0; index < tokens.length; index++) {
    const current = tokens[index];
    if (!current || current.text === '') continue;
    const { length } = current.text;
    if (length === 6 || length === 7) {
      if (/^(?:insert|replace)$/i.test(current.text)) inInsert = true;
      else if (/^(?:values|select)$/i.test(current.text)) inInsert = false;
    }
    const list = current.text === '(' ? listAt(tokens, index) : undefined;
    if (list === undefined) {
      result.push(current);
      continue;
    }
    const { end, values } = list;
    if (values) {
      const repeated = result.at(-1)?.text === ',' && result.at(-2)?.text === `(${placeholder})`;
      if (repeated) result.pop();
      else result.push({ text: `(${placeholder})`, spaced: current.spaced });
      index = end;
    } else if (inInsert) {
      result.push({ text: '(..)', spaced: current.spaced });
      inInsert = false;
      index = end;
    } else result.push(current);
  }
  return result;
}

/** A flat list in brackets: where it closes, and whether it holds values alone. Undefined for all else. */
function listAt(tokens: readonly Token[], open: number): { end: number; values: boolean } | undefined {
  let values = true;
  let names = 0;
  for (let index = open + 1; index < tokens.length; index++) {
    const text = tokens[index]?.text ?? '';
    if (text === '' || text === ',' || text === '-') continue;
    if (text === ')') return names > 0 ? { end: index, values } : undefined;
    if (text === placeholder || /^(?:null|default)$/i.test(text)) names++;
    else if (isName(text)) {
      names++;
      values = false;
    } else return undefined;
  }
  return undefined;
}

function join(tokens: readonly Token[]): string {
  const text = tokens.map(({ text: part, spaced }, index) => (spaced && index > 0 ? ` ${part}` : part)).join('');
  return text.endsWith(';') ? text.slice(0, -1).trimEnd() : text;
}
