/** How many slips one text is from another: a letter more, less, other, or two changed about. Infinite over the limit. */
function slips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      const other = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const cost = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, other, swapped);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return Infinity;
    [before, row] = [row, next];
  }
  const all = row[b.length] ?? 0;
  return all <= limit ? all : Infinity;
}

/** Those of the names that somebody who wrote `text` is likely to have meant, the likeliest first. */
export function nearest(text: string, names: readonly string[]): string[] {
  if (text.length > 60) return [];
  const low = text.toLowerCase();
  const limit = low.length < 4 ? 0 : low.length < 8 ? 1 : 2;
  return names
    .map((name) => {
      const other = name.toLowerCase();
      const begun = low.length > 2 && other.startsWith(low) ? limit + 1 : Infinity;
      return { name, far: Math.min(slips(low, other, limit), begun) };
    })
    .filter(({ far }) => far < Infinity)
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}
