import { expiryOf } from '../../features/tokens/expiry.ts';
import type { ApiToken } from '../../features/tokens/queries.ts';
import { names } from '../../messages/roles.ts';
import * as m from '../../messages/tokens.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time, useNow } from '../../ui/Time.tsx';

const toneOf = { far: 'faint', soon: 'warning', over: 'error' } as const;

export function TokenRow({ token, onDelete }: { readonly token: ApiToken; readonly onDelete: () => void }) {
  const { name, createdBy } = token;
  const expiry = expiryOf(token.expiresAt, useNow());
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{name}</strong>{' '}
          <Text tone="faint">
            <code>…{token.tokenLastCharacters}</code>
          </Text>
        </>
      }
      facts={
        token.kind !== 'user' ? (
          <Facts>
            {token.role ? m.serviceAs({ role: names[token.role] }) : m.forBuilds}
            {createdBy.name
              ? (createdBy.isMember ? m.createdBy : m.createdByFormer)({ name: createdBy.name })
              : m.createdByGone}
          </Facts>
        ) : (
          <Facts>
            {token.isGranted && m.granted}
            <span translate="no">{token.scopes.join(', ')}</span>
          </Facts>
        )
      }
      end={
        <>
          <Text tone={toneOf[expiry.kind]}>{expiry.text}</Text>
          <span>{token.dateLastUsed ? m.used({ when: <Time at={token.dateLastUsed} /> }) : m.neverUsed}</span>
        </>
      }
      actions={
        <Button size="small" variant="ghost" aria-label={m.removeOf({ name })} onClick={onDelete}>
          {m.remove}
        </Button>
      }
    />
  );
}
