import type { Accounts } from '../../features/intake/queries.ts';
import * as m from '../../messages/health.ts';
import { Cell, DataTable, HeadCell, RowHead } from '../../ui/DataTable.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { Text } from '../../ui/Text.tsx';

export type Account = Accounts['accounts'][number];

/** The rest are small. */
const shown = 50;

/** What was sent with each key, and what became of it: the numbers of a row add up to the first. */
export function AccountTable({ accounts }: Pick<Accounts, 'accounts'>) {
  if (accounts.length === 0)
    return (
      <Text as="p" tone="faint">
        {m.nothingReceived}
      </Text>
    );
  return (
    <DataTable
      label={m.accounts}
      boxed
      dense
      stacked
      head={
        <>
          <HeadCell>{m.category}</HeadCell>
          <HeadCell>{m.key}</HeadCell>
          {columns.map(({ name, label }) => (
            <HeadCell key={name} number>
              {label}
            </HeadCell>
          ))}
        </>
      }
    >
      {accounts.slice(0, shown).map((account) => (
        <AccountRow key={`${account.projectId}-${account.keyId}-${account.category}`} account={account} />
      ))}
    </DataTable>
  );
}

const columns = [
  { name: 'sent', label: m.sent },
  { name: 'accepted', label: m.acceptedItems },
  { name: 'filtered', label: m.filteredItems },
  { name: 'limited', label: m.limitedItems },
  { name: 'invalid', label: m.invalidItems },
  { name: 'discarded', label: m.discardedItems },
] as const;

export function AccountRow({ account }: { readonly account: Account }) {
  const { category, projectSlug, keyId, keyLabel, dropped } = account;
  return (
    <tr>
      <RowHead main={false}>
        <code>{category}</code>
        {dropped.length > 0 && (
          <Text as="p" tone="faint">
            {dropped.map(({ reason, total }) => m.droppedFor({ reason, count: total })).join(', ')}
          </Text>
        )}
      </RowHead>
      <Cell label={m.key}>
        {m.keyOfProject({ project: projectSlug, key: keyLabel ?? (keyId ? keyId : m.unknownKey) })}
      </Cell>
      {columns.map(({ name, label }) => (
        <Cell key={name} label={label} number>
          {exactNumber(account[name])}
        </Cell>
      ))}
    </tr>
  );
}
