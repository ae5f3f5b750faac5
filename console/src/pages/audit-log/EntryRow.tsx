import { useId, useState } from 'react';
import type { AuditEntry, AuditFilters } from '../../features/audit/queries.ts';
import { actorKey, actorName, isNamed, sentenceOf, targetKey } from '../../features/audit/words.ts';
import * as m from '../../messages/audit.ts';
import { Cell, RowHead } from '../../ui/DataTable.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { EntryDetails } from './EntryDetails.tsx';

/** An entry, with all that it says below it when it is unfolded. */
export function EntryRow({
  entry,
  onFilter,
}: {
  readonly entry: AuditEntry;
  readonly onFilter: (change: AuditFilters) => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { actor, source } = entry;
  return (
    <>
      <tr>
        <RowHead>
          <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
            <span>{sentenceOf(entry)}</span>
          </Disclosure>
        </RowHead>
        <Cell label={m.who}>
          <div style={{ minWidth: '160px' }}>
            <span translate={isNamed(actor)}>{actorName(actor)}</span>
            {actor.token && (
              <Text as="p" tone="faint" small>
                {m.byToken({ token: actor.token.name })}
              </Text>
            )}
          </div>
        </Cell>
        <Cell label={source.address && m.from} hide="medium">
          <span translate="no">{source.address}</span>
        </Cell>
        <Cell label={m.when}>
          <Time at={entry.at} />
        </Cell>
      </tr>
      {open && (
        <tr>
          <td colSpan={4} id={id}>
            <EntryDetails
              entry={entry}
              onActor={() => onFilter({ actor: actorKey(actor) })}
              onTarget={() => onFilter({ target: targetKey(entry) })}
            />
          </td>
        </tr>
      )}
    </>
  );
}
