/** The trail as rows: time relative to the error, words, filter. Pure. */
import { fixedNumber, withUnit } from '../../ui/numbers.ts';
import type { Breadcrumb } from '../event/types.ts';

export interface CrumbRow {
  readonly crumb: Breadcrumb;
  readonly key: number;
  /** ms before the error, negative; null without a time. */
  readonly offsetMs: number | null;
  readonly category: string;
  readonly text: string;
}

export interface CrumbFilter {
  readonly text: string;
  readonly category: string;
  readonly level: string;
}

/** Newest last, as they happened. */
export function crumbRows(crumbs: readonly Breadcrumb[], eventTime: number): CrumbRow[] {
  return crumbs.map((crumb, key) => {
    const at = crumb.timestamp === null ? Number.NaN : Date.parse(crumb.timestamp);
    return {
      crumb,
      key,
      offsetMs: Number.isFinite(at) && Number.isFinite(eventTime) ? at - eventTime : null,
      category: crumb.category ?? crumb.type,
      text: crumbText(crumb),
    };
  });
}

/** The message; for requests method, address and status; else the data. */
export function crumbText(crumb: Breadcrumb): string {
  const data = crumb.data ?? {};
  const url = data['url'];
  if (typeof url === 'string') {
    const status = data['status_code'];
    return (
      [data['method'], url, status === undefined ? undefined : `[${String(status)}]`]
        .filter((part) => typeof part === 'string' && part !== '')
        .join(' ') + (crumb.message ? ` ${crumb.message}` : '')
    );
  }
  const { from, to } = data;
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`;
  if (crumb.message) return crumb.message;
  const keys = Object.keys(data);
  return keys.length > 0 ? JSON.stringify(data).slice(0, 500) : '';
}

export function filterCrumbs(rows: readonly CrumbRow[], filter: CrumbFilter): CrumbRow[] {
  const wanted = filter.text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (filter.category === '' || row.category === filter.category) &&
      (filter.level === '' || row.crumb.level === filter.level) &&
      (wanted === '' ||
        `${row.category} ${row.text} ${JSON.stringify(row.crumb.data ?? '')}`.toLowerCase().includes(wanted)),
  );
}

/** `−1.2 s`, `−340 ms`, `−4 min`: when it happened, seen from the error. */
export function offsetLabel(offsetMs: number | null): string {
  if (offsetMs === null) return '';
  const ms = Math.abs(offsetMs);
  const sign = offsetMs < 0 ? '−' : offsetMs > 0 ? '+' : '';
  if (ms < 1000) return withUnit(`${sign}${Math.round(ms)}`, 'ms');
  if (ms < 100_000) return withUnit(`${sign}${fixedNumber(ms / 1000, 1)}`, 's');
  if (ms < 6_000_000) return withUnit(`${sign}${Math.round(ms / 60_000)}`, 'min');
  return withUnit(`${sign}${Math.round(ms / 3_600_000)}`, 'h');
}
