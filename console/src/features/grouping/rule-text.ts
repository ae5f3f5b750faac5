/** Rules as they are written: lines, the places of problems in them, a rule added at the end. Pure. */

/** Line and columns count from 1; `endColumn` is the first one after the place. */
export interface RuleProblem {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
  readonly message: string;
}

export interface LinePiece {
  readonly text: string;
  readonly kind: 'rule' | 'comment' | 'problem';
}

/** Every line of the text in pieces that together are the line; comments and places of problems stand out. */
export function ruleLines(text: string, problems: readonly RuleProblem[]): LinePiece[][] {
  const byLine = Map.groupBy(problems, (problem) => problem.line);
  return text.split('\n').map((line, index) => piecesOf(line, byLine.get(index + 1) ?? []));
}

function piecesOf(line: string, problems: readonly RuleProblem[]): LinePiece[] {
  const plain = line.trimStart().startsWith('#') ? 'comment' : 'rule';
  const pieces: LinePiece[] = [];
  let done = 0;
  for (const { column, endColumn } of problems.toSorted((a, b) => a.column - b.column)) {
    // What ends before it begins, or stands behind the line, marks the character where it is.
    const start = Math.max(done, Math.min(column - 1, Math.max(0, line.length - 1)));
    const end = Math.min(line.length, Math.max(endColumn - 1, start + 1));
    if (end <= start) continue;
    if (start > done) pieces.push({ text: line.slice(done, start), kind: plain });
    pieces.push({ text: line.slice(start, end), kind: 'problem' });
    done = end;
  }
  if (done < line.length) pieces.push({ text: line.slice(done), kind: plain });
  return pieces;
}

/** Offset in the text of a line and column, kept inside it. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return Math.max(start, Math.min(start + column - 1, end < 0 ? text.length : end));
}

/** The text with the rule in a line of its own at the end; the same text where some line says it already. */
export function withRule(text: string, rule: string): string {
  const wanted = rule.trim();
  if (wanted === '' || text.split('\n').some((line) => line.trim() === wanted)) return text;
  const before = text.trimEnd();
  return before === '' ? `${wanted}\n` : `${before}\n${wanted}\n`;
}

/** A remark of the server as a sentence: it begins large and ends in a full stop. */
export function sentence(remark: string): string {
  const text = remark.trim();
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** How many rules a text holds: lines that are neither empty nor comments. */
export function countRules(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#')).length;
}
