import { useQuery } from '@tanstack/react-query';
import type { Event, GroupingNode } from '../../features/event/types.ts';
import { issueHashesQuery, type IssueDetail } from '../../features/issues/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { cx } from '../../ui/cx.ts';
import { plural } from '../../ui/numbers.ts';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './GroupingPanel.module.css';
import { frameWords, groupingRows } from './grouping-rows.ts';
import { Panel } from '../../ui/Panel.tsx';

const deepest = 12;

/** Why this event belongs to this issue: the parts that counted, and those that did not, with the reason. */
export function GroupingPanel({ issue, event }: { readonly issue: IssueDetail; readonly event: Event }) {
  const org = useOrg();
  const hashes = useQuery(issueHashesQuery(org, issue.shortId));
  const own = hashes.data?.find((hash) => event.fingerprints.includes(hash.hash)) ?? hashes.data?.[0];
  const others = (hashes.data?.length ?? 1) - 1;
  return (
    <Panel title="Why grouped" id="grouping">
      {hashes.isPending ? (
        <Skeleton rows={3} height={28} label="Loading grouping" />
      ) : hashes.isError ? (
        <ErrorState error={hashes.error} retry={() => void hashes.refetch()} what="The grouping could not be loaded" />
      ) : own ? (
        <div className={styles.grouping}>
          <p>
            Grouped by <strong>{own.basis}</strong>
            {others > 0 && `, and ${plural(others, 'other hash', 'other hashes')} in this issue`}
          </p>
          <Parts nodes={own.explanation} depth={0} />
          <p className={styles.hash}>
            <code>{own.hash}</code> · {own.version}
          </p>
        </div>
      ) : (
        <p className={styles.grouping}>No hash is known for this issue.</p>
      )}
    </Panel>
  );
}

/** Parts that did not count are one line until they are asked for; calls are named by what counted in them. */
function Parts({ nodes, depth }: { readonly nodes: readonly GroupingNode[]; readonly depth: number }) {
  return (
    <ul className={styles.tree}>
      {groupingRows(nodes).map((row, index) =>
        row.kind === 'node' ? (
          <Node key={index} node={row.node} depth={depth} />
        ) : (
          <li key={index} className={styles.ignored}>
            <details>
              <summary>
                <span className={styles.why}>{plural(row.nodes.length, 'part')} not used</span>
              </summary>
              <ul className={styles.tree}>
                {row.nodes.map((node, at) => (
                  <Node key={at} node={node} depth={depth + 1} />
                ))}
              </ul>
            </details>
          </li>
        ),
      )}
    </ul>
  );
}

function Node({ node, depth }: { readonly node: GroupingNode; readonly depth: number }) {
  const children = node.children ?? [];
  const isFrame = node.id === 'frame';
  const value = node.value ?? (isFrame ? frameWords(node) : undefined);
  const line = (
    <>
      <span className={styles.name}>{node.name}</span>
      {value && <code className={styles.value}>{value}</code>}
      {node.why && <span className={styles.why}>{node.why}</span>}
    </>
  );
  return (
    <li className={cx(!node.contributes && styles.ignored)}>
      {children.length > 0 && depth < deepest ? (
        <details open={node.contributes && !isFrame}>
          <summary>{line}</summary>
          <Parts nodes={children} depth={depth + 1} />
        </details>
      ) : (
        <div className={styles.leaf}>{line}</div>
      )}
    </li>
  );
}
