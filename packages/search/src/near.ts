/** Whether one text is another with a few slips: a letter more, less, other, or two changed about. */
function isNear(a: string, b: string, limit: number): boolean {
  if (Math.abs(a.length - b.length) > limit) return false;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : limit + 1;
      const other = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, other, swapped);
    }
    if (Math.min(...next) > limit) return false;
    [before, row] = [row, next];
  }
  return (row[b.length] ?? 0) <= limit;
}

/** Those of the names that somebody who wrote `text` is likely to have meant, the likeliest first. */
export function nearest(text: string, names: readonly string[]): string[] {
  if (text.length > 60) return [];
  const low = text.toLowerCase();
  const limits = low.length < 4 ? [0] : low.length < 8 ? [0, 1] : [0, 1, 2];
  const found = limits.flatMap((limit) => names.filter((name) => isNear(low, name.toLowerCase(), limit)));
  const begun = low.length > 2 ? names.filter((name) => name.toLowerCase().startsWith(low)) : [];
  return [...new Set([...found, ...begun])].slice(0, 3);
}
