import { OperationNodeTransformer } from 'kysely';
import type { KyselyPlugin, PrimitiveValueListNode, UnknownRow, ValueNode } from 'kysely';

// PostgreSQL refuses NUL in text, and neither database can hold a lone surrogate. Text comes from outside, so it is
// made storable in this one place instead of failing a batch; both databases then hold the same.
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value;

class StorableText extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: storable(node.value) };
  }
  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    return { ...node, values: node.values.map(storable) };
  }
}

/** Replaces what no database can store in text values: NUL and lone surrogates become U+FFFD. */
export function storableText(): KyselyPlugin {
  const transformer = new StorableText();
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: ({ result }: { result: { rows: UnknownRow[] } }) => Promise.resolve(result),
  } as KyselyPlugin;
}
