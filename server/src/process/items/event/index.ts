/** Error and message events: from the payload to a stored row with its group hashes. */
import type { Event, Exception } from '../../steps/event.ts';
import { eventText } from '../../steps/event-text.ts';
import { compileGrouping, framesAloneDecide, groupEvent } from '../../steps/group/index.ts';
import { addTag } from '../../steps/normalize/index.ts';
import { scrubMapped } from '../../steps/scrub/index.ts';
import { debugWorkOf, missingFiles, scriptsOf, stacksToMap, stacktracesOf } from '../../steps/symbolicate/index.ts';
import { issueSeed } from '../../steps/title.ts';
import {
  explainTwin,
  sideOf,
  twinBasis,
  twinOf,
  twinVersion,
  viewTag,
  waitingHash,
  waitingSeed,
} from '../../steps/twin.ts';
import type { Grouping, IssueSeed, ItemContext, ItemResult, ProcessedEvent, ProjectSettings } from '../../types.ts';
import type { ItemTypes } from '../item-types.ts';
import { keepAside, orKept, type ReceivedItem } from '../kept/index.ts';
import { metUsers } from './met.ts';
import { parseEvent } from './parse.ts';
import { filteredOut, prepareEvent, type Prepared } from './prepare.ts';
import { errorRow, traceIdOf } from './rows.ts';

export { filteredOut, prepareEvent } from './prepare.ts';

export const types = { event: processEvent } satisfies ItemTypes;

const category = 'error';
const none: readonly never[] = [];

export function processEvent(item: ReceivedItem, context: ItemContext): ItemResult {
  const result = process(item, context, false);
  const { events = 0 } = context.standsFor ?? {};
  if (events === 0) return result;
  const sampled = { category, outcome: { kind: 'filtered', reason: 'storm' }, quantity: events } as const;
  return { ...result, outcomes: [...result.outcomes, sampled] };
}

function process(item: ReceivedItem, context: ItemContext, ownStacks: boolean): ItemResult {
  const parsed = parseEvent(item.payload, context, ownStacks || !framesDecide(context.settings));
  if (!parsed.ok) {
    return keepAside(item, context, category, { kind: 'invalid', reason: parsed.reason, detail: parsed.detail });
  }
  if (context.imported && parsed.event.timestamp * 1000 < context.imported.keepFrom) {
    return { outcomes: [{ category, outcome: { kind: 'invalid', reason: 'too_old' }, quantity: 1 }] };
  }
  const prepared = prepareEvent(parsed.event, context, parsed.remarks);
  if (!prepared.event) return { outcomes: [filteredOut(category, prepared.dropped)], dropped: prepared.dropped };
  parsed.taking?.parts.remember();
  const finish = (missing: readonly string[]): ItemResult => ({
    outcomes: [{ category, outcome: { kind: 'accepted' }, quantity: 1 }],
    events: [finishEvent(prepared, context, missing)],
  });
  const stacks = context.hasArtifacts ? stacksToMap(prepared.event) : [];
  const work = debugWorkOf(prepared.event);
  if (stacks.length === 0 && !(work && context.hasArtifacts)) {
    const files = work ? missingFiles(work) : [];
    const result = finish(context.hasArtifacts ? [] : [...scriptsOf(prepared.event), ...files]);
    if (framesDecide(context.settings, prepared.event.platform)) parsed.taking?.stacks?.remember();
    return result;
  }
  if (parsed.taking?.stacks?.hasKnown) return process(item, context, true);
  const { release = '', dist = '' } = prepared.event;
  const guarded = (missing: readonly string[]): ItemResult =>
    orKept(item, context, () => {
      for (const { frames } of stacktracesOf(prepared.event)) scrubMapped(frames, context.settings);
      return finish(missing);
    });
  return { outcomes: [], waiting: [{ projectId: context.projectId, release, dist, stacks, work, finish: guarded }] };
}

/** Whether nothing around a stack has a say in what becomes of its frames. */
const framesDecide = ({ grouping }: ProjectSettings, platform?: string): boolean =>
  framesAloneDecide(compileGrouping(grouping), platform);

/** From there to the row, by frames that are mapped as far as they can be. `missing` are the keys of scripts that would help. */
export function finishEvent(
  { event, digest, remarks }: Prepared,
  context: ItemContext,
  missing: readonly string[] = [],
  counted = category,
): ProcessedEvent {
  const { grouping, main, seed } = groupAndTitle(event, context.settings);
  if (remarks.errors.length > 0) event.errors = remarks.errors;
  const meta = remarks.meta();
  if (meta) Object.assign(event, { _meta: meta });
  const traceId = traceIdOf(event, context);
  const twin = twinOf(event, main, digest, traceId);
  const side = sideOf(event);
  if (twin && side === 'browser') addTag(event, viewTag, 'yes');
  const decided = twin?.masked
    ? {
        grouping: { version: twinVersion, hashes: [waitingHash], basis: twinBasis, tree: explainTwin({}) },
        seed: waitingSeed,
      }
    : { grouping, seed };
  const version = twin ? twinVersion : grouping.version;
  const payload = eventText(event);
  const row = errorRow(
    {
      event,
      main,
      digest,
      traceId,
      hashes: decided.grouping.hashes,
      version,
      seed,
      missing,
      payload: payload.text,
      sampledUsers: context.standsFor ? metUsers(event, context, context.standsFor) : none,
    },
    context,
  );
  const imported = context.imported !== undefined;
  return { row, ...decided, side, category: counted, twin, payload: payload.pieces, imported };
}

/** What follows from an event's frames: which are the project's own, its group hashes, its title. */
export function groupAndTitle(
  event: Event,
  { grouping: settings }: Pick<ProjectSettings, 'grouping'>,
): { grouping: Grouping; main: Exception | undefined; seed: IssueSeed } {
  const { grouping, main, title } = groupEvent(event, compileGrouping(settings));
  return { grouping, main, seed: issueSeed(event, main, title) };
}
