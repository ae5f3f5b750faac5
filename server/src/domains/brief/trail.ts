/** Breadcrumbs: what the user did, and what the program did then. */
import { visibleLine } from '../../base/visible.ts';
import { entryOf } from './failure.ts';
import { limits } from './limits.ts';
import type { BriefCrumb, BriefEvent, Data } from './types.ts';
import { valueText } from './values.ts';

/** As the API gives them. */
export interface Breadcrumb {
  readonly type: string;
  readonly category: string | null;
  readonly level: string;
  readonly message: string | null;
  readonly data: Data | null;
  readonly timestamp: string | null;
}

/** Oldest first. */
export const breadcrumbsOf = (event: BriefEvent): readonly Breadcrumb[] =>
  entryOf<{ values: readonly Breadcrumb[] }>(event, 'breadcrumbs')?.values ?? [];

export const textOf = (data: Data | null, name: string): string | undefined => {
  const value = data?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
};

/** `POST /cart → 500`; undefined of what is no request. */
export function requestLine({ data }: Breadcrumb): string | undefined {
  const url = textOf(data, 'url');
  if (url === undefined) return undefined;
  const status = textOf(data, 'status_code') ?? textOf(data, 'http.response.status_code');
  return [textOf(data, 'method') ?? 'GET', url, ...(status === undefined ? [] : ['→', status])].join(' ');
}

function crumbText(crumb: Breadcrumb): string {
  const { message, data } = crumb;
  const [from, to] = [textOf(data, 'from'), textOf(data, 'to')];
  if (to !== undefined) return `${from ?? ''} → ${to}`.trim();
  const request = requestLine(crumb);
  if (request !== undefined) return message ? `${request}  ${message}` : request;
  const more = data && Object.keys(data).length ? valueText(data, limits.crumbText) : '';
  return [message ?? '', more].filter(Boolean).join('  ');
}

export function trailOf(event: BriefEvent): { readonly crumbs: readonly BriefCrumb[]; readonly hidden: number } {
  const all = breadcrumbsOf(event);
  const shown = all.slice(-limits.crumbs);
  return {
    crumbs: shown.map((crumb) => ({
      at: crumb.timestamp,
      category: visibleLine(crumb.category ?? crumb.type, limits.name),
      level: visibleLine(crumb.level, limits.name),
      text: visibleLine(crumbText(crumb), limits.crumbText),
    })),
    hidden: all.length - shown.length,
  };
}
