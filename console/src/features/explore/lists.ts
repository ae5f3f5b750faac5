/** Lists of columns in one text: `count(),p95(span.duration),tags[a,number]`. */

const opening = '([';
const closing = ')]';

/** Splits at the commas that stand in no parenthesis, bracket or quotes. Empty and repeated entries are left out. */
export function splitList(list: string | undefined, most = 20): string[] {
  if (!list) return [];
  const entries = new Set<string>();
  let depth = 0;
  let quoted = false;
  let entry = '';
  const close = (): void => {
    const trimmed = entry.trim();
    if (trimmed) entries.add(trimmed);
    entry = '';
  };
  for (let at = 0; at < list.length && entries.size < most; at += 1) {
    const sign = list.charAt(at);
    if (sign === '\\' && quoted) {
      entry += sign + list.charAt(at + 1);
      at += 1;
      continue;
    }
    if (sign === '"') quoted = !quoted;
    else if (!quoted && opening.includes(sign)) depth += 1;
    else if (!quoted && closing.includes(sign)) depth = Math.max(0, depth - 1);
    if (sign === ',' && depth === 0 && !quoted) close();
    else entry += sign;
  }
  if (entries.size < most) close();
  return [...entries];
}

/** Undefined for none, so that the address stays short. */
export const joinList = (entries: readonly string[]): string | undefined => entries.join(',') || undefined;

export interface Call {
  readonly name: string;
  readonly args: readonly string[];
}

/** `p95(span.duration)` in its parts; undefined for what is no call. */
export function readCall(text: string): Call | undefined {
  const open = text.indexOf('(');
  if (open <= 0 || !text.endsWith(')')) return undefined;
  const name = text.slice(0, open);
  return /^\w+$/.test(name) ? { name, args: splitList(text.slice(open + 1, -1)) } : undefined;
}

export const writeCall = ({ name, args }: Call): string => `${name}(${args.join(',')})`;
