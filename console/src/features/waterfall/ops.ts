/** What kind of work a span is, by its op: one colour token each. */
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

export function categoryOf(op: string): Category {
  for (const [beginning, category] of beginnings) {
    if (op === beginning || op.startsWith(`${beginning}.`)) return category;
  }
  return 'function';
}

export const tokenOf = (category: Category): `--op-${Category}` => `--op-${category}`;

/** What a row is called: its name, else its op. */
export const nameOf = ({ name, op }: Pick<WaterfallRow, 'name' | 'op'>): string => name || op || 'unnamed span';
