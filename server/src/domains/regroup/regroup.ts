/** Stored events grouped anew, by the rules as they are and as they would be. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Events } from '../../ports/events/events.ts';
import { ownersOfHashes } from '../issues/index.ts';
import { groupAndTitle } from '../../process/items/event/index.ts';
import type { Event } from '../../process/steps/event.ts';
import type { GroupingSettings } from '../../process/steps/group/index.ts';
import type { Grouping, GroupingComponent } from '../../process/types.ts';
import type { State } from '../../ports/state/state.ts';
import { type AffectedEvent, readEvents } from '../resymbolicate/index.ts';
import { type Place, placesOf, type Regrouped } from './places.ts';
import { type SampleRequest, sampleEvents } from './sample.ts';

export interface RegroupRequest extends SampleRequest {
  readonly before: GroupingSettings;
  readonly after: GroupingSettings;
  /** With the new grouping of what would not stay, for who wants to keep it. */
  readonly keepGroupings?: boolean;
}

export interface RegroupOptions {
  /** 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RegroupResult {
  readonly places: readonly Place[];
  /** Events that were grouped anew. */
  readonly examined: number;
  readonly sampled: boolean;
}

const chunkSize = 200;

export async function regroup(
  { state, events }: { readonly state: State; readonly events: Events },
  request: RegroupRequest,
  { onProgress, signal }: RegroupOptions = {},
): Promise<RegroupResult> {
  const sample = await sampleEvents(events, request);
  const owned = await ownersOfHashes(state, request.projectId, [...sample.counts.keys()]);
  const keys = sample.keys.filter(({ hash }) => owned.has(hash));
  const perHash = new Map<string, number>();
  for (const { hash } of keys) perHash.set(hash, (perHash.get(hash) ?? 0) + 1);
  const found = new Map<string, Regrouped>();
  let examined = 0;
  for (let start = 0; start < keys.length; start += chunkSize) {
    signal?.throwIfAborted();
    const stored = await readEvents(events, request.projectId, keys.slice(start, start + chunkSize));
    for (const row of stored) {
      const issueId = owned.get(row.hash);
      const count = (sample.counts.get(row.hash) ?? 1) / (perHash.get(row.hash) ?? 1);
      if (issueId !== undefined) add(found, { ...regroupEvent(row, request), issueId, events: count });
    }
    examined += stored.length;
    onProgress?.(Math.min(1, (start + chunkSize) / keys.length));
    // Others may have their turn, also where this runs beside them.
    await delay(0);
  }
  const all = [...found.values()].map((one) => ({ ...one, events: Math.max(1, Math.round(one.events)) }));
  const asked = all.flatMap((one) => [...one.hashes, ...one.previous]);
  const owners = await ownersOfHashes(state, request.projectId, asked);
  return { places: placesOf(all, owners), examined, sampled: sample.sampled };
}

/** Events that come from one issue and would be grouped alike are one. */
function add(found: Map<string, Regrouped>, one: Regrouped): void {
  const key = `${one.issueId} ${one.stays} ${one.hashes.join()} ${one.previous.join()}`;
  const before = found.get(key);
  found.set(key, before ? { ...before, events: before.events + one.events } : one);
}

function regroupEvent(
  { id, payload }: AffectedEvent,
  { before, after, keepGroupings }: RegroupRequest,
): Omit<Regrouped, 'issueId' | 'events'> {
  const event = JSON.parse(payload) as Event;
  const [was] = groupAndTitle(event, { grouping: before }).grouping.hashes;
  const { grouping, seed } = groupAndTitle(event, { grouping: after });
  const stays = grouping.hashes[0] === was;
  return {
    stays,
    hashes: grouping.hashes,
    previous: stays ? [] : (grouping.previous ?? []),
    title: seed.title,
    fingerprint: stays ? null : fingerprintOf(grouping.tree),
    exampleEventId: id,
    ...(keepGroupings && !stays && { grouping: plainGrouping(grouping) }),
  };
}

/** Without what would keep the event in memory. */
const plainGrouping = ({ version, hashes, basis, tree }: Grouping): Grouping => ({ version, hashes, basis, tree });

/** The entries with their variables filled in; null where no fingerprint takes part. */
export function fingerprintOf(tree: readonly GroupingComponent[]): string[] | null {
  const component = tree.find(({ id, contributes }) => id === 'fingerprint' && contributes);
  return component ? (component.children ?? []).map(({ value }) => value ?? '') : null;
}
