import type { Health } from '../../features/intake/queries.ts';
import * as m from '../../messages/health.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

export type Node = Health['nodes'][number];

/** Who belongs to the installation, what each does, and which stores it sees. */
export function NodeTable({ nodes }: Pick<Health, 'nodes'>) {
  return (
    <DataTable
      label={m.nodes}
      boxed
      dense
      stacked
      head={
        <>
          <HeadCell>{m.node}</HeadCell>
          <HeadCell>{m.roles}</HeadCell>
          <HeadCell>{m.nodeStores}</HeadCell>
          <HeadCell>{m.version}</HeadCell>
          <HeadCell number>{m.lastSeen}</HeadCell>
        </>
      }
    >
      {nodes.map((node) => (
        <NodeRow key={node.id} node={node} />
      ))}
    </DataTable>
  );
}

export function NodeRow({ node }: { readonly node: Node }) {
  const { address, roles, version, started, lastSeen, state, stores } = node;
  const isGone = state === 'gone';
  const amiss = stores.filter((store) => store.state !== 'reachable');
  return (
    <tr>
      <RowHead main={false}>
        <Text>
          <code>{address}</code>
        </Text>
        {isGone ? (
          <Text as="p" tone="error">
            <strong>{m.gone}</strong>
          </Text>
        ) : (
          <Text as="p" tone="faint">
            {m.started({ when: <Time at={started} /> })}
          </Text>
        )}
      </RowHead>
      <Cell label={m.roles}>{roles.map((role) => m.roleNames[role]).join(', ')}</Cell>
      <Cell label={m.nodeStores}>
        {isGone
          ? '–'
          : amiss.length === 0
            ? m.allReachable
            : amiss.map((store) => <StoreLine key={store.store} {...store} />)}
      </Cell>
      <Cell label={m.version}>
        <span translate="no">{version}</span>
      </Cell>
      <Cell number label={m.lastSeen}>
        <Time at={lastSeen} />
      </Cell>
    </tr>
  );
}

function StoreLine({ store, state, since }: Node['stores'][number]) {
  const said = { store: m.seenStores[store], when: <Time at={since} /> };
  return (
    <Text as="p" tone={state === 'down' ? 'error' : 'faint'}>
      {state === 'down' ? m.storeDown(said) : m.storeSlow(said)}
    </Text>
  );
}
