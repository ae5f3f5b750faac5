import { Link } from '@tanstack/react-router';
import * as m from '../../messages/find.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { BrowserIcon, ServerIcon } from '../../ui/icons.ts';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import type { FoundEvent, FoundTrace } from './queries.ts';

/** The path of an address, which distinguishes pages of one site. */
function pageOf(event: FoundEvent): string | null {
  if (event.url && URL.canParse(event.url)) {
    const { pathname, search } = new URL(event.url);
    return pathname + search;
  }
  return event.transaction;
}

/** Events as rows: side, page, time; each leads to itself on its issue, `issue` where it names none. */
export function FoundEvents({
  label,
  events,
  issue,
}: {
  readonly label: string;
  readonly events: readonly FoundEvent[];
  readonly issue?: string | undefined;
}) {
  return (
    <DataList label={label}>
      {events.map((event) => {
        const place = pageOf(event);
        const Icon = event.side === 'browser' ? BrowserIcon : ServerIcon;
        return (
          <DataRow
            key={event.id}
            lead={<Icon size={14} aria-hidden="true" />}
            title={<EventLink event={event} issue={event.issueId ?? issue} />}
            facts={
              <Facts cut>
                {m.sides[event.side]}
                {place && <span translate="no">{place}</span>}
                {event.release && <span translate="no">{event.release}</span>}
              </Facts>
            }
            end={<Time at={event.dateCreated} />}
          />
        );
      })}
    </DataList>
  );
}

function EventLink({ event, issue }: { readonly event: FoundEvent; readonly issue: string | undefined }) {
  // An event whose issue is not known here is found by its ID.
  return issue ? (
    <Link to="/issues/$issue" params={{ issue }} search={{ event: event.id }} className={rowLinkClass} translate="no">
      {event.title}
    </Link>
  ) : (
    <Link to="/find" search={{ q: event.id }} className={rowLinkClass} translate="no">
      {event.title}
    </Link>
  );
}

/** Traces that connect the error page to the error. */
export function FoundTraces({ traces }: { readonly traces: readonly FoundTrace[] }) {
  return (
    <DataList label={m.traces}>
      {traces.map((trace) => (
        <DataRow
          key={trace.id}
          title={
            <Link
              to="/traces/$trace"
              params={{ trace: trace.id }}
              search={{ at: Math.floor(Date.parse(trace.lastSeen) / 1000) }}
              className={rowLinkClass}
            >
              <code>{trace.id}</code>
            </Link>
          }
          facts={<Facts>{m.traceEvents({ server: trace.serverEvents, browser: trace.browserEvents })}</Facts>}
          end={<Time at={trace.lastSeen} />}
        />
      ))}
    </DataList>
  );
}
