/** Coloured source as data: lines of pieces, so that no HTML is ever put in from text. */
export interface Piece {
  readonly text: string;
  /** Class of the highlighter's scope, such as `keyword` or `string`; '' for plain. */
  readonly scope: string;
}

/** Splits pieces at line breaks; there is always at least one line. */
export function splitLines(pieces: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = [[]];
  for (const piece of pieces) {
    const parts = piece.text.split('\n');
    parts.forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text) lines.at(-1)?.push({ text, scope: piece.scope });
    });
  }
  return lines;
}

export interface MarkedPiece extends Piece {
  readonly marked: boolean;
}

/**
 * Marks what stands at a column: the identifier there, else one character.
 * @param column counts from 1; null or out of the line marks nothing
 */
export function markColumn(line: readonly Piece[], column: number | null): MarkedPiece[] {
  const text = line.map((piece) => piece.text).join('');
  const start = column === null ? -1 : column - 1;
  if (start < 0 || start >= text.length) return line.map((piece) => ({ ...piece, marked: false }));
  const end = start + (/^[\p{L}\p{N}_$]+/u.exec(text.slice(start, start + 200))?.[0].length ?? 1);
  const marked: MarkedPiece[] = [];
  let at = 0;
  for (const piece of line) {
    const cuts = [0, start - at, end - at, piece.text.length].map((cut) =>
      Math.max(0, Math.min(cut, piece.text.length)),
    );
    for (const [from, to, isMarked] of [
      [cuts[0], cuts[1], false],
      [cuts[1], cuts[2], true],
      [cuts[2], cuts[3], false],
    ] as const) {
      const part = piece.text.slice(from, to);
      if (part) marked.push({ text: part, scope: piece.scope, marked: isMarked });
    }
    at += piece.text.length;
  }
  return marked;
}

/** White space that all lines share at their start, so that deep code does not waste the width. */
export function sharedIndent(lines: readonly string[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line.trim() === '') continue;
    least = Math.min(least, line.length - line.trimStart().length);
  }
  return Number.isFinite(least) ? least : 0;
}
