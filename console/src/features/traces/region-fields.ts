/** A part of the heatmap as it is typed. Pure. */
import { startOf, type Region } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';
import { fromInput } from './times.ts';

/** Texts of inputs; durations in ms. */
export interface RegionFields {
  readonly since: string;
  readonly before: string;
  readonly least: string;
  readonly most: string;
}

/** What is missing is in order with anything. */
export const isInOrder = (from: number | undefined, until: number | undefined): boolean =>
  from === undefined || until === undefined || from < until;

function boundOf(text: string): number | undefined {
  const value = text.trim() === '' ? NaN : Number(text);
  return value >= 0 ? value : undefined;
}

/** Undefined for all of it. One end of the time alone reaches to the edge of the heatmap. */
export function regionOfFields(fields: RegionFields, heatmap: TraceHeatmap): Region | undefined {
  const [since, before] = [fromInput(fields.since), fromInput(fields.before)];
  const [fromMs, untilMs] = [boundOf(fields.least), boundOf(fields.most)];
  if ([since, before, fromMs, untilMs].every((bound) => bound === undefined)) return undefined;
  const isTimed = since !== undefined || before !== undefined;
  return {
    since: isTimed ? (since ?? Math.floor(heatmap.from)) : undefined,
    before: isTimed ? (before ?? Math.ceil(startOf(heatmap, heatmap.columns))) : undefined,
    fromMs,
    untilMs,
  };
}
