import type { AuditEntry } from '../../features/audit/queries.ts';
import { valueText } from '../../features/audit/words.ts';
import * as m from '../../messages/audit.ts';
import { Button } from '../../ui/Button.tsx';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';

/** All that an entry says, as it stands in the log. */
export function EntryDetails({
  entry,
  onActor,
  onTarget,
}: {
  readonly entry: AuditEntry;
  readonly onActor: () => void;
  readonly onTarget: () => void;
}) {
  const { seq, at, action, actor, target, source, changes = [], details = {}, hash } = entry;
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    [m.entry, `${seq} · ${at}`],
    [m.action, action],
    [m.who, [actor.name, actor.email, actor.id].filter(Boolean).join(' · ')],
    [m.token, actor.token && `${actor.token.name} · ${actor.token.id}`],
    [m.session, actor.session],
    [m.target, [target.type, target.name, target.id].filter(Boolean).join(' · ')],
    [m.project, target.project],
    [m.address, source.address],
    [m.agent, source.agent],
    ...Object.entries(details).map(([name, value]) => [name, valueText(value)] as const),
    [m.hash, hash],
  ];
  return (
    <Stack gap={12}>
      {changes.length > 0 && <Changes changes={changes} />}
      <KeyValue compact label={m.details}>
        {facts.map(
          ([name, value]) =>
            value && (
              <Pair key={name} name={name}>
                <span translate="no">{value}</span>
              </Pair>
            ),
        )}
      </KeyValue>
      <Inline gap={8}>
        <Button size="small" onClick={onTarget}>
          {m.sameTarget}
        </Button>
        <Button size="small" onClick={onActor}>
          {m.sameActor}
        </Button>
      </Inline>
    </Stack>
  );
}

const Changes = ({ changes }: { readonly changes: NonNullable<AuditEntry['changes']> }) => (
  <KeyValue boxed label={m.changes}>
    {changes.map(({ field, before, after }) => (
      <Pair key={field} name={<code>{field}</code>}>
        {before === undefined && after === undefined
          ? m.notShown
          : m.change({ before: valueText(before ?? null), after: valueText(after ?? null) })}
      </Pair>
    ))}
  </KeyValue>
);
