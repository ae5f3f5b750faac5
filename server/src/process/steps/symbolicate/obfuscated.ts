/** Frames of Java that are still obfuscated: no mapping was uploaded under the id that the event names. */
import type { Event } from '../event.ts';
import { debugWorkOf } from './debug-images.ts';
import { stacktracesOf } from './scripts.ts';

/** What a shrinker calls a class: letters by the alphabet, alone or behind a package. */
const shortClass = /^(?:[\w$]{1,50}\.){0,20}[a-zA-Z]{1,2}[0-9]{0,2}$/;

export function markObfuscated(event: Event): void {
  if (event.debug_meta === undefined) return;
  const [id] = debugWorkOf(event)?.mappings ?? [];
  if (id === undefined) return;
  const frames = stacktracesOf(event).flatMap((stack) => stack.frames);
  if (frames.some(({ data }) => data?.sourcemap !== undefined)) return;
  for (const frame of frames) {
    if (frame.module === undefined || !shortClass.test(frame.module) || frame.data?.unresolved !== undefined) continue;
    frame.data = { ...frame.data, unresolved: { code: 'no_artifact', debug_id: id, kind: 'mapping' } };
  }
}
