/**
 * From a text to what it names, the cause first.
 *
 * A screen shows a digest; the server's event has it, and its trace ties the browser's events that showed the screen.
 * Digests of 32 bits collide and one bug has several, so every match is given, one line per issue, the newest first.
 */
import { findEvent, findIssue, findRevision, hashKey, issuesOfHashes, type IssueRow } from '../issues/index.ts';
import { findDigest, matchDigest, type Matched, noTotals, tiedTo } from './digest.ts';
import { gatherEvidence, newestEvents, withIssues } from './evidence.ts';
import { thrownIn } from './frame.ts';
import { newestFirst, readById } from './keyed.ts';
import { findMatches, type HashTotals, type Match, withEventId, withSpan } from './matches.ts';
import { readQuery, type Understood } from './read-query.ts';
import { matchStack } from './stack.ts';
import { type TraceAsked, traceFacts, traceOfSpan } from './spans.ts';
import { tallyOf, tallyOfTotals, tiedTraces } from './tally.ts';
import { eventsOfTraces } from './tied.ts';
import type { Answer, Cause, FindRequest, FindStores, Found, MatchedBy } from './types.ts';

/** Matching events that are looked at one by one; beyond that they are counted. */
const matchLimit = 500;
const causeLimit = 5;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** Spans are looked for in the newest events only, for nothing leads to them but reading. */
const spanMs = weekMs;

export async function find(stores: FindStores, request: FindRequest): Promise<Answer> {
  const understood = readQuery(request.text, {
    ownHosts: request.ownHosts,
    prefixes: request.projects.map((project) => project.shortIdPrefix),
  });
  if (!understood.length) return { kind: 'empty', understood };
  const valueOf = (kind: Understood['kind']): string | undefined => understood.find((one) => one.kind === kind)?.value;
  const host = valueOf('host');
  const beside = { host, spanId: valueOf('span') };
  for (const one of understood) {
    for (const kind of kindsOf(stores, one)) {
      const found = await lookUp(stores, request, kind, one.value, beside);
      // The chip says what it turned out to be.
      if (found)
        return { ...found, understood: understood.map((other) => (other === one ? asKind(one, kind) : other)) };
    }
  }
  return { ...(await withoutMatch(stores, request, understood, host)), understood };
}

/** That which the index has comes first: to find nothing costs as much as to find something. */
function kindsOf(
  { events: { index } }: FindStores,
  { kind, orElse, value }: Understood,
): readonly Understood['kind'][] {
  if (orElse === undefined) return [kind];
  const isTrace =
    orElse === 'trace' &&
    !index?.placesOf(value).length &&
    index?.withTrace(value, { from: 0, until: Infinity }, matchLimit)?.length;
  return isTrace ? [orElse, kind] : [kind, orElse];
}

const isOf = (event: Match, { projectId, hash }: HashTotals): boolean =>
  event.projectId === projectId && event.hash === hash;

const asKind = (one: Understood, kind: Understood['kind'] = one.kind): Understood => ({ ...one, kind });

/** What else the text says, which narrows what is shown. */
interface Beside {
  readonly host: string | undefined;
  readonly spanId: string | undefined;
}

async function lookUp(
  stores: FindStores,
  request: FindRequest,
  kind: Understood['kind'] | undefined,
  value: string,
  { host, spanId }: Beside,
): Promise<Found | undefined> {
  if (kind === 'issue') {
    const issue = await findIssue(stores.state, value, request.projects);
    return issue && { kind: 'issue', issue };
  }
  if (kind === 'digest' || kind === 'event' || kind === 'stack') return findCause(stores, request, kind, value, host);
  if (kind !== 'trace' && kind !== 'span') return undefined;
  return (
    (await findCause(stores, request, kind, value, host)) ??
    (await findTrace(stores, request, kind, value, kind === 'span' ? value : (spanId ?? '')))
  );
}

/** A trace in which nothing failed, or of which only spans are stored. */
async function findTrace(
  stores: FindStores,
  { projects }: FindRequest,
  matchedBy: 'trace' | 'span',
  value: string,
  spanId: string,
): Promise<Found | undefined> {
  const projectIds = projects.map(({ id }) => id);
  const asked: TraceAsked | undefined =
    matchedBy === 'trace' ? { traceId: value, spanId } : await traceOfSpan(stores, projectIds, value);
  const trace = asked && (await traceFacts(stores, projectIds, [asked])).get(asked.traceId);
  return trace && { kind: 'trace', matchedBy, value, trace };
}

async function withoutMatch(
  stores: FindStores,
  request: FindRequest,
  understood: readonly Understood[],
  host: string | undefined,
): Promise<Found> {
  const valueOf = (kind: Understood['kind']): string | undefined => understood.find((one) => one.kind === kind)?.value;
  const { shown = request.projects } = request;
  const evidence = () => gatherEvidence(stores, { ...request, projects: shown, host });
  if (['digest', 'event', 'trace', 'span', 'issue'].some((kind) => understood.some((one) => one.kind === kind))) {
    return { kind: 'nothing', digest: valueOf('digest'), evidence: await evidence() };
  }
  const side = valueOf('side');
  const path = valueOf('path');
  if (host === undefined && side === undefined) {
    const release = valueOf('release');
    return {
      kind: 'search',
      search: release === undefined ? quoted(valueOf('words') ?? valueOf('stack') ?? '') : releaseSearch(release),
    };
  }
  const [newest, known] = await Promise.all([newestEvents(stores, shown, request.nowMs - dayMs), evidence()]);
  const there = newest.filter(
    (event) =>
      (host === undefined || event.host === host) &&
      (side === undefined || event.side === side) &&
      (path === undefined || pathOf(event.url) === path),
  );
  return { kind: 'page', host, path, issues: await withIssues(stores, there.slice(0, causeLimit)), evidence: known };
}

const pathOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).pathname : undefined);

/** As the search of the issue list takes it. */
const quoted = (words: string): string =>
  /^[\w ]*$/.test(words) ? words : `"${words.replaceAll(/["\\*]/g, ' ').trim()}"`;

const releaseSearch = (release: string): string =>
  /^[0-9a-f]{1,39}$/.test(release) ? `release:*${release}*` : `release:"${release.replaceAll(/["\\*]/g, '')}"`;

async function findCause(
  stores: FindStores,
  request: FindRequest,
  matchedBy: MatchedBy,
  value: string,
  host: string | undefined,
): Promise<Found | undefined> {
  const scope = { projectIds: request.projects.map(({ id }) => id), range: request.range };
  const { matched, tied: follow, totals: count } = await matchBy(stores, scope, request, matchedBy, value);
  if (!matched.length) return undefined;
  const describe = async (events: readonly Match[]): Promise<Described> => {
    const all = await count();
    // Of few it is known which are meant.
    const totals = matched.length > matchLimit ? all : all.filter((one) => events.some((event) => isOf(event, one)));
    return { totals, ...(await describeCauses(stores, scope.projectIds, events, totals)) };
  };
  const own = matched.filter((event) => isServer(event) && !event.twin);
  // Nearly always what matched is the cause itself: then its line is read while its traces are followed.
  const [tied, early] = await Promise.all([follow(), own.length ? describe(own) : undefined]);
  const all = [
    ...new Map([...matched, ...tied].map((event) => [`${event.projectId}:${event.eventId}`, event])).values(),
  ];
  const chosen = own.length ? own : chooseCause(matchedBy, matched, all);
  const shown = all.filter((event) => event.side === 'browser' && !chosen.includes(event));
  const about = chosen.length ? chosen : shown;
  const common = {
    matchedBy,
    value,
    host: host ?? (about.find((event) => event.host !== '') ?? all.find((event) => event.host !== ''))?.host,
    shown: shown.toSorted(newestFirst),
    traces: matchedBy === 'stack' ? [] : tiedTraces(all, chosen.length > 0 && matchedBy !== 'trace'),
  };
  if (!chosen.length) {
    const [newest] = common.shown;
    const [evidence, sightings] = await Promise.all([
      gatherEvidence(stores, { ...request, host: common.host }),
      withIssues(stores, newest ? [newest] : []),
    ]);
    return { kind: 'browser_only', ...common, ...tallyOf(shown), issue: sightings[0]?.issue, evidence };
  }
  const { causes, more, totals } = early ?? (await describe(chosen));
  if (!causes.length) return undefined;
  return { kind: 'cause', ...common, ...(totals.length ? tallyOfTotals(totals) : tallyOf(chosen)), causes, more };
}

const lately = (nowMs: number) => ({
  startMs: nowMs - spanMs,
  endMs: nowMs,
  open: true,
  bucketMs: spanMs,
  buckets: 1,
  grain: 'ms' as const,
  label: 'range',
});

type Scope = Pick<FindRequest, 'range'> & { readonly projectIds: readonly number[] };

async function matchBy(
  { events }: FindStores,
  scope: Scope,
  { projects, range, nowMs, text }: FindRequest,
  matchedBy: MatchedBy,
  value: string,
): Promise<Matched> {
  if (matchedBy === 'digest') {
    const sampled = projects.filter(({ sampledUntil }) => (sampledUntil ?? -1) >= (range?.startMs ?? 0));
    const sampledIds = new Set(sampled.map(({ id }) => id));
    return matchDigest(events, { ...scope, sampledIds }, value, matchLimit);
  }
  if (matchedBy === 'stack') {
    const matched = await matchStack(events, scope, text, matchLimit);
    return { matched, tied: async () => [], totals: noTotals };
  }
  const matched = await {
    event: async () =>
      (await readById(events, scope, value)) ?? findMatches(events, scope, withEventId(value), matchLimit + 1),
    trace: () => eventsOfTraces(events, scope, { ids: [value], times: undefined }, matchLimit + 1),
    span: () => findMatches(events, { ...scope, range: range ?? lately(nowMs) }, withSpan(value), matchLimit + 1),
  }[matchedBy]();
  const digest = matchedBy === 'event' ? matched.find((event) => event.twin && event.digest !== '')?.digest : undefined;
  const tied = async (): Promise<readonly Match[]> => {
    const found = await Promise.all([
      matchedBy === 'trace' ? [] : tiedTo(events, scope, matched, matchLimit),
      // A browser's view was asked for.
      digest === undefined ? [] : findDigest(events, scope, digest, matchLimit),
    ]);
    return found.flat();
  };
  return { matched, tied, totals: noTotals };
}

const isServer = (event: Match): boolean => event.side === 'server';

/** Where no server's event matched: what stands for itself, else the server's events that are tied to it. Empty when browsers saw the server fail and it said nothing. */
function chooseCause(matchedBy: MatchedBy, matched: readonly Match[], all: readonly Match[]): readonly Match[] {
  const standing = matched.filter((event) => !event.twin);
  if (matchedBy === 'event' && standing.length) return standing;
  const servers = all.filter(isServer);
  const telling = servers.filter((event) => !event.twin);
  const server = telling.length ? telling : servers;
  return (server.length ? server : matchedBy === 'digest' ? [] : standing).toSorted(newestFirst);
}

/** JSON text. Its row said where it lies, so nearly always the engine is not asked again. */
async function payloadOf(
  stores: FindStores,
  { projectId, eventId, hash, at, place, unmapped, payload }: Match,
): Promise<string | undefined> {
  const { payloads } = stores.events;
  if (payload !== undefined) return (unmapped && (await findRevision(stores, projectId, eventId))?.payload) || payload;
  if (!place || !payloads) return (await findEvent(stores, [projectId], eventId, [hash], at))?.payload;
  const [[stored], revised] = await Promise.all([
    payloads.read([place]),
    unmapped ? findRevision(stores, projectId, eventId) : undefined,
  ]);
  return stored === undefined ? undefined : (revised?.payload ?? stored);
}

interface Described {
  readonly causes: Cause[];
  readonly more: number;
  readonly totals: readonly HashTotals[];
}

async function describeCauses(
  stores: FindStores,
  projectIds: readonly number[],
  chosen: readonly Match[],
  totals: readonly HashTotals[],
): Promise<{ causes: Cause[]; more: number }> {
  const issues = await issuesOfHashes(stores.state, [...chosen, ...totals]);
  const issueOf = (one: { projectId: number; hash: string }): IssueRow | undefined =>
    issues.get(hashKey(one.projectId, one.hash));
  const byIssue = Map.groupBy(chosen, (event) => issueOf(event)?.id);
  const totalsByIssue = Map.groupBy(totals, (one) => issueOf(one)?.id);
  const ids = new Set([...byIssue.keys(), ...totalsByIssue.keys()]);
  ids.delete(undefined);
  const newest = [...byIssue].slice(0, causeLimit + 1);
  // The traces beside the events themselves: none waits for the other.
  const [traces, causes] = await Promise.all([
    traceFacts(
      stores,
      projectIds,
      newest.flatMap(([, [event]]) => event ?? []),
    ),
    Promise.all(
      newest.map(async ([id, events]): Promise<Omit<Cause, 'trace'> | undefined> => {
        const [event] = events;
        const issue = event && issueOf(event);
        if (id === undefined || !event || !issue) return undefined;
        const payload = await payloadOf(stores, event);
        const counted = totalsByIssue.get(id);
        return {
          issue,
          event,
          thrown: payload === undefined ? undefined : thrownIn(payload, event.main),
          differs: false,
          ...(counted ? tallyOfTotals(counted) : tallyOf(events)),
        };
      }),
    ),
  ]);
  const known = causes.filter((one) => one !== undefined).slice(0, causeLimit);
  const place = ({ thrown }: Pick<Cause, 'thrown'>): string => {
    const frame = thrown?.frame;
    return JSON.stringify([frame?.filename, frame?.function, frame?.lineno, frame?.colno]);
  };
  const [first] = known;
  return {
    causes: known.map((one) => ({
      ...one,
      differs: first !== undefined && place(one) !== place(first),
      trace: traces.get(one.event.traceId),
    })),
    more: Math.max(0, ids.size - known.length),
  };
}
