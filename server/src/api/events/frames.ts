/** Frames of an event, wherever they stand. */
import type { z } from 'zod';
import { type LinkContext, linkOf } from '../../domains/repositories/index.ts';
import type { Entry, Frame } from './contract.ts';
import { object } from '../shared/read.ts';

type EntryShape = z.output<typeof Entry>;
type FrameShape = z.output<typeof Frame>;

/** Of exceptions and of a stack trace without one; each stack trace as it is, oldest call first. */
export const framesOf = (entries: readonly EntryShape[]): FrameShape[] => stacksOf(entries).flat();

export const threadFramesOf = (entries: readonly EntryShape[]): FrameShape[] =>
  entries.flatMap((entry) =>
    entry.type === 'threads' ? entry.data.values.flatMap(({ stacktrace }) => stacktrace?.frames ?? []) : [],
  );

/** Fills in where the lines of an event's frames are shown. A frame that was not mapped has no line of a source. */
export function linkFrames(entries: readonly EntryShape[], links: LinkContext): void {
  for (const frame of [...framesOf(entries), ...threadFramesOf(entries)]) {
    if (!object(frame.data?.['unresolved'])) frame.sourceLink = linkOf(frame, links) ?? null;
  }
}

const stacksOf = (entries: readonly EntryShape[]): (readonly FrameShape[])[] =>
  entries.flatMap((entry) => {
    if (entry.type === 'exception') return entry.data.values.map((value) => value.stacktrace?.frames ?? []);
    return entry.type === 'stacktrace' ? [entry.data.frames] : [];
  });

/** The newest frame of the project's own code in the outermost exception; undefined where its source is not known. */
export function topFrameOf(entries: readonly EntryShape[]): FrameShape | undefined {
  const frame = stacksOf(entries)
    .at(-1)
    ?.findLast((one) => one.inApp);
  return object(frame?.data?.['unresolved']) ? undefined : frame;
}
