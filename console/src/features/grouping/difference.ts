/** Two texts beside each other with the parts marked in which they differ. Pure, bounded work. */

export interface Piece {
  readonly text: string;
  readonly differs: boolean;
}

export interface Difference {
  readonly here: readonly Piece[];
  readonly there: readonly Piece[];
}

/** Beyond these the middle is marked whole: nobody reads a finer answer, and its cost is a product. */
const maxCharacters = 4000;
const maxWords = 300;

/** By words; what only one side has differs, and a missing side makes all of the other differ. */
export function difference(here: string | null, there: string | null): Difference {
  if (here === null || there === null) return { here: whole(here), there: whole(there) };
  const [left, right] = [words(here), words(there)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const [leftMiddle, rightMiddle] = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  const [leftSame, rightSame] = commonWords(leftMiddle, rightMiddle);
  const mark = (all: readonly string[], same: ReadonlySet<number>): Piece[] =>
    joined(
      all.map((text, index) => ({
        text,
        differs: index >= start && index < all.length - end && !same.has(index - start),
      })),
    );
  return { here: mark(left, leftSame), there: mark(right, rightSame) };
}

function whole(text: string | null): Piece[] {
  return text ? [{ text, differs: true }] : [];
}

/** Words, runs of spaces, single signs; what is very long ends in one last piece. */
function words(text: string): string[] {
  const pieces = text.slice(0, maxCharacters).match(/[\p{L}\p{N}_$]+|\s+|[^]/gu) ?? [];
  const rest = text.slice(maxCharacters);
  return rest ? [...pieces, rest] : pieces;
}

/** Indices of a longest common subsequence, in both; none where that would be too much work. */
function commonWords(left: readonly string[], right: readonly string[]): [Set<number>, Set<number>] {
  const [inLeft, inRight] = [new Set<number>(), new Set<number>()];
  if (left.length === 0 || right.length === 0 || left.length > maxWords || right.length > maxWords)
    return [inLeft, inRight];
  const width = right.length + 1;
  // At (i, j): how many words the rests from there have in common.
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) {
      inLeft.add(i++);
      inRight.add(j++);
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [inLeft, inRight];
}

/** Neighbours of one kind as one piece; a space between two marked words is marked with them. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: { text: string; differs: boolean }[] = [];
  for (const [index, { text, differs }] of pieces.entries()) {
    const before = result.at(-1);
    const bridges = !differs && /^\s+$/.test(text) && before?.differs === true && pieces[index + 1]?.differs === true;
    if (before && (before.differs === differs || bridges)) before.text += text;
    else result.push({ text, differs });
  }
  return result;
}
