import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as m from '../../messages/find.ts';
import { useLive } from '../live/live.ts';
import { useOrg } from '../session/organization.ts';
import { IconButton } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { DeleteIcon, NotifiedIcon, NotifyIcon } from '../../ui/icons.ts';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { type Watch, watchesQuery } from './queries.ts';
import { useWatch } from './use-watch.ts';

/** The digests that one watches, with their issues; nothing where there is none. */
export function Watches() {
  const org = useOrg();
  const watches = useQuery(watchesQuery(org));
  const { unwatch } = useWatch();
  useLive((message) => {
    if (message.type === 'reconnected') void watches.refetch();
  });
  return (
    <QueryView query={watches} loading={m.loadingWatches} failed={m.watchesFailed} skeleton={null} empty={null}>
      {(list) => (
        <Section title={m.watches} note={m.watchesNote}>
          <DataList label={m.watches}>
            {list.map((watch) => (
              <WatchRow key={watch.id} watch={watch} onUnwatch={() => unwatch(watch)} />
            ))}
          </DataList>
        </Section>
      )}
    </QueryView>
  );
}

export function WatchRow({ watch, onUnwatch }: { readonly watch: Watch; readonly onUnwatch: () => void }) {
  const { digest, host, found, dateCreated, dateExpires } = watch;
  const Icon = found ? NotifiedIcon : NotifyIcon;
  return (
    <DataRow
      lead={<Icon size={14} aria-hidden="true" />}
      title={
        found ? (
          <Link
            to="/issues/$issue"
            params={{ issue: found.shortId }}
            search={{ event: found.eventId, q: `digest:${digest}` }}
            className={rowLinkClass}
            translate="no"
          >
            {digest}: {found.title}
          </Link>
        ) : (
          <Link to="/find" search={{ q: digest }} className={rowLinkClass} translate="no">
            {digest}
          </Link>
        )
      }
      facts={
        <Facts>
          {host && <span translate="no">{host}</span>}
          {found
            ? m.arrived({ when: <Time at={found.dateFound} /> })
            : m.waitingSince({ since: <Time at={dateCreated} />, until: <Time at={dateExpires} /> })}
        </Facts>
      }
      actions={
        <IconButton size="small" label={m.unwatchOne({ digest })} icon={<DeleteIcon size={14} />} onClick={onUnwatch} />
      }
    />
  );
}
