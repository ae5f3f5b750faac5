/** Values of variables, tags and breadcrumbs as short texts. */
import { cutText, visible, visibleLine } from '../../base/visible.ts';
import { limits } from './limits.ts';
import type { BriefValue, Data } from './types.ts';

/** Texts as they are, all else as JSON; SDKs have written most values as texts already. */
export function valueText(value: unknown, most: number = limits.value): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return visibleLine(text, most);
}

export const namedValues = (values: Data | null, most: number): readonly BriefValue[] =>
  Object.entries(values ?? {})
    .slice(0, most)
    .map(([name, value]) => ({ name: visibleLine(name, limits.name), value: valueText(value) }));

/** Lines stay lines. */
export const manyLines = (text: string, most: number): string => cutText(visible(cutText(text, most)), most);

/** The same, of what may not be there. */
export const lineOrNull = (text: string | null | undefined, most: number): string | null =>
  text === null || text === undefined || text === '' ? null : visibleLine(text, most);
