/** The audit log: its pages, all of it as a file, its settings. Reading it is told in it. */
import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import * as audit from '../../domains/audit/index.ts';
import { CodedError } from '../../base/errors.ts';
import { exactTimeRange } from '../../base/time-range.ts';
import type { State } from '../../ports/state/state.ts';
import { type Api, implement } from '../shared/implement.ts';
import { createOnce } from '../shared/once.ts';
import { isoOrNull } from '../shared/read.ts';
import { linkPages, parseCursor } from '../shared/pagination.ts';
import { requests } from '../../base/texts/requests.ts';
import { invalid } from '../../base/texts/validation.ts';
import * as contract from './contract.ts';
import { linesOf } from './shapes.ts';

/** Who looks at the same again within an hour has been told of. */
const toldEveryMs = 3_600_000;

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const;

type Filters = Omit<z.output<typeof contract.listEntries.query>, 'cursor' | 'limit'>;

export function auditRoutes(api: Api): void {
  const { state, auditStream, getUrl } = api.deps;
  const isTold = createOnce(toldEveryMs);

  const targetOf = ({ organizationId, slug }: Membership): audit.Target => ({ id: organizationId, name: slug });

  implement(api, contract.listEntries, async ({ caller, query, request, reply, recorded }) => {
    const { membership, identity } = caller;
    const { cursor: page, limit, ...filters } = query;
    const filter = filterOf(filters);
    const details = { filters: filtersInWords(filters) };
    if (!isTold(JSON.stringify([membership.organizationId, identity.userId, identity.token?.id, details]))) {
      await recorded(async (_inside, note) => note(targetOf(membership), { details }));
    }
    const cursor = parseCursor(page);
    const place = cursor && (cursor.previous ? { after: cursor.value } : { before: cursor.value });
    const found = await audit.listEntries(state, membership.organizationId, filter, { ...place, limit });
    const { entries, hasNewer, hasOlder } = found;
    const [newest, oldest] = [entries.at(0), entries.at(-1)];
    linkPages(request, reply, getUrl(), {
      previous: hasNewer && newest ? { value: newest.seq, offset: 0, previous: true } : undefined,
      next: hasOlder && oldest ? { value: oldest.seq, offset: 0, previous: false } : undefined,
    });
    return entries.map(shown);
  });

  implement(api, contract.exportEntries, async ({ caller: { membership }, query, reply, recorded }) => {
    const { format, ...filters } = query;
    const filter = filterOf(filters);
    const details = { filters: filtersInWords(filters), format };
    await recorded(async (_inside, note) => note(targetOf(membership), { details }));
    const parts = audit.allEntries(state, membership.organizationId, filter);
    const day = new Date().toISOString().slice(0, 10);
    await reply
      .type(contentTypes[format])
      .header('x-content-type-options', 'nosniff')
      .header('content-disposition', `attachment; filename="audit-log-${membership.slug}-${day}.${format}"`)
      .send(Readable.from(linesOf(format, parts)));
  });

  const logOf = async ({ organizationId, scopes }: Membership, inside: State = state) => {
    const [facts, actors, stream] = await Promise.all([
      audit.factsOfLog(inside, organizationId),
      audit.actorsOf(inside, organizationId),
      auditStream.find(organizationId, inside),
    ]);
    return {
      ...facts,
      stream: stream ? toStream(stream) : null,
      actors: actors.map((one) => ({ ...one })),
      actions: Object.keys(audit.actions) as audit.Action[],
      canChange: scopes.includes('org:admin'),
    };
  };

  implement(api, contract.getLog, async ({ caller: { membership } }) => logOf(membership));

  implement(api, contract.updateLog, async ({ caller: { membership }, body: { retentionDays, stream }, recorded }) => {
    const { organizationId } = membership;
    await recorded(async (inside, note) => {
      const [before, streamed] = [
        await audit.retentionOf(inside, organizationId),
        await auditStream.find(organizationId, inside),
      ];
      if (retentionDays !== undefined) await audit.setRetention(inside, organizationId, retentionDays);
      const lacks =
        stream === undefined
          ? undefined
          : await auditStream.set(inside, organizationId, stream ?? undefined, Date.now());
      if (lacks) throw new CodedError('INPUT_INVALID', [requests.field(`stream.${lacks}`, invalid.required)]);
      const streamedNow = await auditStream.find(organizationId, inside);
      note(targetOf(membership), {
        before: { retentionDays: before, ...tellable(streamed) },
        after: {
          retentionDays: retentionDays ?? before,
          ...tellable(streamedNow),
          ...(stream?.secret !== undefined && { streamSecret: stream.secret }),
        },
      });
    });
    return logOf(membership);
  });
}

type Streamed = Awaited<ReturnType<audit.AuditStream['find']>>;

const tellable = (stream: Streamed) => ({
  streamUrl: stream?.url ?? null,
  streamQuery: stream?.query ?? '',
  streamEnabled: stream?.enabled ?? false,
});

const toStream = (stream: NonNullable<Streamed>): z.output<typeof contract.AuditLog>['stream'] => ({
  url: stream.url,
  enabled: stream.enabled,
  sent: stream.sentSeq,
  lastSent: isoOrNull(stream.sentAt),
  failingSince: isoOrNull(stream.failingSince),
  problem: stream.problem,
});

const shown = ({ changes, details, ...entry }: audit.Entry): z.output<typeof contract.AuditEntry> => ({
  ...entry,
  ...(changes && { changes: changes.map((one) => ({ ...one }) as never) }),
  ...(details && { details: { ...details } as never }),
});

function filterOf({ action, actor, target, address, ...range }: Filters): audit.AuditFilter {
  const asked = exactTimeRange(range, Date.now());
  return {
    actions: action,
    actor,
    target,
    address,
    fromMs: asked?.startMs,
    untilMs: asked && !asked.open ? asked.endMs : undefined,
  };
}

/** As they were asked for; '' for none. */
const filtersInWords = (filters: Filters): string =>
  Object.entries(filters)
    .filter(([, value]) => value !== undefined && value.length > 0)
    .map(([name, value]) => `${name}=${[value].flat().join(',')}`)
    .join(' ');
