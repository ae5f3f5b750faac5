const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** `1 204` as people read it, with a narrow space between thousands. */
export function exactNumber(value: number): string {
  return exact.format(value).replaceAll(',', '\u202f');
}

/** `132`, `1.2 k`, `34 k`, `1.5 M`. */
export function compactNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  for (const [limit, unit] of [
    [999_500_000, 'G'],
    [999_500, 'M'],
    [1000, 'k'],
  ] as const) {
    if (Math.abs(value) < limit) continue;
    const scaled = value / { G: 1e9, M: 1e6, k: 1e3 }[unit];
    return `${scaled >= 99.95 ? Math.round(scaled) : Math.round(scaled * 10) / 10} ${unit}`;
  }
  return exact.format(value);
}

/** `640 B`, `1.5 kB`, `2.1 GB`: thousands, not 1024. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let scaled = bytes / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${scaled >= 99.95 ? Math.round(scaled) : Math.round(scaled * 10) / 10} ${units[unit]}`;
}

/** `91 %`, and `<1 %` rather than a zero that is none. */
export function percent(part: number, total: number): string {
  if (!(total > 0)) return '0 %';
  const share = (part / total) * 100;
  if (share > 0 && share < 1) return '<1 %';
  if (share < 100 && share > 99) return '>99 %';
  return `${Math.round(share)} %`;
}

/** `1 event`, `2 events`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${exactNumber(count)} ${count === 1 ? one : many}`;
}
