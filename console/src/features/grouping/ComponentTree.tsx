import * as m from '../../messages/grouped-by.ts';
import { cx } from '../../ui/cx.ts';
import styles from './ComponentTree.module.css';
import { frameWords, reason, treeRows, type ExplainedNode } from './tree.ts';

const deepest = 12;

/** What counted, and what did not with the reason. Parts that did not are one line until they are asked for; so are other ways to look at the event. */
export function ComponentTree({
  nodes,
  depth = 0,
}: {
  readonly nodes: readonly ExplainedNode[];
  readonly depth?: number;
}) {
  return (
    <ul className={styles.tree}>
      {treeRows(nodes).map((row, index) =>
        row.kind === 'node' ? (
          <Node key={index} node={row.node} depth={depth} open={depth > 0 || index === 0} />
        ) : (
          <li key={index} className={styles.ignored}>
            <details>
              <summary>
                <span className={styles.folded}>{row.words}</span>
                {row.why && (
                  <span className={styles.why} translate="no">
                    {row.why}
                  </span>
                )}
              </summary>
              <ul className={styles.tree}>
                {row.nodes.map((node, at) => (
                  <Node key={at} node={node} depth={depth + 1} explained />
                ))}
              </ul>
            </details>
          </li>
        ),
      )}
    </ul>
  );
}

/** `explained`: the reason is shown above already. */
function Node({
  node,
  depth,
  open = true,
  explained = false,
}: {
  readonly node: ExplainedNode;
  readonly depth: number;
  readonly open?: boolean;
  readonly explained?: boolean;
}) {
  const children = node.children ?? [];
  const isFrame = node.id === 'frame';
  const value = node.value ?? (isFrame ? frameWords(node) : undefined);
  const line = (
    <>
      <span className={styles.name} translate="no">
        {node.name}
      </span>
      {value && <code className={styles.value}>{value}</code>}
      {node.why && !explained && (
        <span className={styles.why} translate="no">
          {node.contributes ? reason(node.why) : m.notUsed({ reason: reason(node.why) })}
        </span>
      )}
    </>
  );
  return (
    <li className={cx(!node.contributes && styles.ignored)}>
      {children.length > 0 && depth < deepest ? (
        <details open={open && node.contributes && !isFrame}>
          <summary>{line}</summary>
          <ComponentTree nodes={children} depth={depth + 1} />
        </details>
      ) : (
        <div className={styles.leaf}>{line}</div>
      )}
    </li>
  );
}
