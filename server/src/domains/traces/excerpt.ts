/** The few rows of a waterfall that tell where one span stands in its trace. */

/** What choosing needs to know of a row; a subtree is the row and the `below` rows after it. */
export interface ExcerptRow {
  /** Index of the parent's row, -1 for roots. */
  readonly parent: number;
  readonly depth: number;
  readonly below: number;
  readonly durationUs: number;
}

export interface ExcerptPlace {
  /** Index of the row. */
  readonly row: number;
  /** Below the nearest of its ancestors that is chosen too; 0 for none. */
  readonly depth: number;
  /** Levels between the two. */
  readonly skipped: number;
  /** Rows between it and the one chosen before it. */
  readonly hidden: number;
}

/**
 * At most `limit` rows, in order. First what is `wanted` with its root and parent, the first of it being what it is all
 * about; then what stands beside, above and below that. Without a wish: the longest root and its longest children.
 */
export function chooseExcerpt(rows: readonly ExcerptRow[], wanted: readonly number[], limit: number): ExcerptPlace[] {
  const chosen = new Set<number>();
  const add = (row: number | undefined): void => {
    if (row !== undefined && chosen.size < limit) chosen.add(row);
  };
  const known = wanted.filter((row) => row >= 0 && row < rows.length);
  const [target] = known;
  if (target === undefined) {
    const [root] = byDuration(rows, siblingsUnder(rows, -1));
    add(root);
    for (const child of byDuration(rows, root === undefined ? [] : siblingsUnder(rows, root))) add(child);
    for (const other of siblingsUnder(rows, -1)) add(other);
  } else {
    const above = ancestorsOf(rows, target);
    add(target);
    add(above.at(-1));
    add(above[0]);
    for (const row of known) add(row);
    const siblings = siblingsUnder(rows, rows[target]?.parent ?? -1);
    const at = siblings.indexOf(target);
    add(siblings[at - 1]);
    add(siblings[at + 1]);
    for (const row of above.slice(0, 3)) add(row);
    const children = siblingsUnder(rows, target);
    add(children[0]);
    for (const step of [2, 3]) {
      add(siblings[at - step]);
      add(siblings[at + step]);
    }
    for (const row of [...children, ...above]) add(row);
    for (const row of above) for (const beside of siblingsUnder(rows, rows[row]?.parent ?? -1)) add(beside);
    for (let step = 1; chosen.size < Math.min(limit, rows.length); step++) {
      for (const row of [target - step, target + step]) add(row in rows ? row : undefined);
    }
  }
  return placed(
    rows,
    [...chosen].toSorted((a, b) => a - b),
  );
}

/** The nearest first. */
function ancestorsOf(rows: readonly ExcerptRow[], row: number): number[] {
  const above: number[] = [];
  for (let at = rows[row]?.parent ?? -1; at >= 0; at = rows[at]?.parent ?? -1) above.push(at);
  return above;
}

/** Children of a row, roots for -1; subtrees are stepped over. */
function siblingsUnder(rows: readonly ExcerptRow[], parent: number): number[] {
  const end = parent < 0 ? rows.length : parent + 1 + (rows[parent]?.below ?? 0);
  const siblings: number[] = [];
  for (let at = parent + 1; at < end; at += 1 + (rows[at]?.below ?? 0)) siblings.push(at);
  return siblings;
}

const byDuration = (rows: readonly ExcerptRow[], indexes: readonly number[]): number[] =>
  indexes.toSorted((a, b) => (rows[b]?.durationUs ?? 0) - (rows[a]?.durationUs ?? 0) || a - b);

function placed(rows: readonly ExcerptRow[], chosen: readonly number[]): ExcerptPlace[] {
  const depths = new Map<number, number>();
  return chosen.map((row, index) => {
    const above = ancestorsOf(rows, row).find((one) => depths.has(one));
    const depth = above === undefined ? 0 : (depths.get(above) ?? 0) + 1;
    depths.set(row, depth);
    const levels = (rows[row]?.depth ?? 0) - (above === undefined ? -1 : (rows[above]?.depth ?? 0));
    return { row, depth, skipped: levels - 1, hidden: row - (chosen[index - 1] ?? -1) - 1 };
  });
}
