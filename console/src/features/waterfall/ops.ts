/** What kind of work a span is, by its op: one colour token each. */
import * as m from '../../messages/spans.ts';
import type { WaterfallRow } from './queries.ts';

export const categories = ['http', 'db', 'cache', 'ui', 'function', 'resource', 'queue', 'ai'] as const;
export type Category = (typeof categories)[number];

/** Beginnings of ops, the first that fits decides. */
const beginnings: readonly (readonly [string, Category])[] = [
  ['db.redis', 'cache'],
  ['cache', 'cache'],
  ['db', 'db'],
  ['http', 'http'],
  ['rpc', 'http'],
  ['grpc', 'http'],
  ['graphql', 'http'],
  ['websocket', 'http'],
  ['resource', 'resource'],
  ['file', 'resource'],
  ['queue', 'queue'],
  ['messaging', 'queue'],
  ['topic', 'queue'],
  ['gen_ai', 'ai'],
  ['ai', 'ai'],
  ['mcp', 'ai'],
  ['ui', 'ui'],
  ['browser', 'ui'],
  ['pageload', 'ui'],
  ['navigation', 'ui'],
  ['interaction', 'ui'],
  ['paint', 'ui'],
  ['mark', 'ui'],
  ['measure', 'ui'],
  ['view', 'ui'],
  ['template', 'ui'],
];

/** Of the ops that were asked for: a trace has ten thousand spans of a dozen kinds. */
const known = new Map<string, Category>();
const mostKnown = 1000;

export function categoryOf(op: string): Category {
  let category = known.get(op);
  if (category === undefined) {
    category = beginnings.find(([beginning]) => op === beginning || op.startsWith(`${beginning}.`))?.[1] ?? 'function';
    if (known.size >= mostKnown) known.clear();
    known.set(op, category);
  }
  return category;
}

export const tokenOf = (category: Category): `--op-${Category}` => `--op-${category}`;

/** What a row is called: its name, else its op. */
export const nameOf = ({ name, op }: Pick<WaterfallRow, 'name' | 'op'>): string => name || op || m.unnamed;
