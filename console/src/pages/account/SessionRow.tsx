import type { AccountSession } from '../../features/account/queries.ts';
import * as m from '../../messages/my-account.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** A browser in which the reader is signed in. */
export function SessionRow({
  session,
  busy,
  onEnd,
}: {
  readonly session: AccountSession;
  readonly busy: boolean;
  readonly onEnd: () => void;
}) {
  const { address, dateCreated, lastUsed, isCurrent } = session;
  const device = session.device || m.unknownDevice;
  return (
    <DataRow
      title={
        <>
          <strong translate={session.device ? 'no' : undefined}>{device}</strong>{' '}
          {isCurrent && <Flag kind="plain">{m.thisOne}</Flag>}
        </>
      }
      facts={
        <Facts>
          {address && <span translate="no">{address}</span>}
          {m.signedIn({ when: <Time at={dateCreated} /> })}
        </Facts>
      }
      end={<span>{m.used({ when: <Time at={lastUsed} /> })}</span>}
      actions={
        !isCurrent && (
          <Button size="small" variant="ghost" busy={busy} aria-label={m.signOutOf({ device })} onClick={onEnd}>
            {m.signOut}
          </Button>
        )
      }
    />
  );
}
