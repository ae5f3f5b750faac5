import type { ScimToken } from '../../features/security/queries.ts';
import { expiryOf } from '../../features/tokens/expiry.ts';
import * as m from '../../messages/provisioning.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time, useNow } from '../../ui/Time.tsx';

const toneOf = { far: 'faint', soon: 'warning', over: 'error' } as const;

export function ScimTokenRow({ token, onDelete }: { readonly token: ScimToken; readonly onDelete: () => void }) {
  const { name, tokenLastCharacters, createdBy, dateLastUsed } = token;
  const expiry = expiryOf(token.expiresAt, useNow());
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{name}</strong>{' '}
          <Text tone="faint">
            <code>…{tokenLastCharacters}</code>
          </Text>
        </>
      }
      facts={<Facts>{createdBy ? m.createdBy({ name: createdBy }) : m.createdByGone}</Facts>}
      end={
        <>
          <Text tone={toneOf[expiry.kind]}>{expiry.text}</Text>
          <span>{dateLastUsed ? m.used({ when: <Time at={dateLastUsed} /> }) : m.neverUsed}</span>
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
