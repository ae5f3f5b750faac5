/** What Culprit has of a failure, as its API tells. */
import type { Server } from '../server/test/harness.ts';

interface EventRow {
  readonly eventID: string;
  readonly title: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface FailureEvent {
  readonly id: string;
  readonly title: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly traceId: unknown;
}

/** The event, once it is there. */
export async function eventById(server: Server, id: string): Promise<FailureEvent> {
  const { organization, project } = server.installed;
  return server.until(`event ${id}`, async () => {
    const event = await server
      .api<EventRow>(`/projects/${organization}/${project}/events/${id}/`)
      .catch(() => undefined);
    return event && toFailure(event);
  });
}

/** The newest events of the one issue with this title in this release; undefined until there is one. */
export async function eventsTitled(server: Server, release: string, title: string): Promise<FailureEvent[]> {
  const { organization } = server.installed;
  const query = encodeURIComponent(`release:${release}`);
  return server.until(`an issue "${title}" of ${release}`, async () => {
    const issues = await server.api<{ id: string; title: string }[]>(
      `/organizations/${organization}/issues/?query=${query}&statsPeriod=24h`,
    );
    const issue = issues.find((row) => row.title.startsWith(title));
    if (!issue) return undefined;
    const events = await server.api<EventRow[]>(`/organizations/${organization}/issues/${issue.id}/events/?full=true`);
    // An issue has those of other releases too.
    const own = events.map(toFailure).filter(({ tags }) => tags['release'] === release);
    return own.length > 0 && own;
  });
}

function toFailure({ eventID, title, tags, contexts }: EventRow): FailureEvent {
  return {
    id: eventID,
    title,
    tags: Object.fromEntries(tags.map(({ key, value }) => [key, value])),
    traceId: contexts?.trace?.trace_id,
  };
}
