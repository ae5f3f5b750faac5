import type { Schemas } from '../../api/client.ts';
import * as m from '../../messages/project-settings.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { UndoIcon } from '../../ui/icons.ts';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

export type Tombstone = Pick<Schemas['Tombstone'], 'id' | 'shortId' | 'title' | 'culprit' | 'actor' | 'dateCreated'>;

/** An issue that was discarded, and the way to accept its events again. */
export function DiscardedRow({
  tombstone: { shortId, title, culprit, actor, dateCreated },
  busy,
  onAccept,
}: {
  readonly tombstone: Tombstone;
  readonly busy: boolean;
  readonly onAccept: (() => void) | undefined;
}) {
  const when = <Time at={dateCreated} />;
  return (
    <DataRow
      title={<span translate="no">{title}</span>}
      facts={
        <Facts>
          <span translate="no">{shortId}</span>
          {culprit && <span translate="no">{culprit}</span>}
          {actor ? m.discardedBy({ when, name: actor.name || actor.email }) : m.discardedAt({ when })}
        </Facts>
      }
      actions={
        onAccept && (
          <Button
            size="small"
            icon={<UndoIcon size={14} />}
            aria-label={m.acceptOf({ issue: shortId })}
            busy={busy}
            onClick={onAccept}
          >
            {m.accept}
          </Button>
        )
      }
    />
  );
}
