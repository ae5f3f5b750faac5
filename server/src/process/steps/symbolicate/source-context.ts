/** Lines around frames that came without them, from sources that were uploaded. */
import type { Event, Frame } from '../event.ts';
import { frameFamily } from '../family.ts';
import { cutText, textLimits } from '../limits.ts';
import { lacksSource } from './debug-images.ts';
import { stacktracesOf } from './scripts.ts';

/** `bare`: whether a file may be known by its name alone. */
export type FindSource = (path: string, bare: boolean) => Promise<string | undefined>;

const contextLines = 5;
const maxFrames = 250;

/** Changes frames in place. Returns how many got their lines. */
export async function addSources(event: Event, find: FindSource): Promise<number> {
  let left = maxFrames;
  let found = 0;
  for (const { frames } of stacktracesOf(event)) {
    for (const frame of frames) {
      if (left === 0) return found;
      if (!lacksSource(frame, event.platform)) continue;
      left -= 1;
      const text = await sourceOf(frame, event.platform, find);
      if (text !== undefined && place(frame, text)) found += 1;
    }
  }
  return found;
}

async function sourceOf(frame: Frame, platform: string, find: FindSource): Promise<string | undefined> {
  const { module, filename = '', abs_path: path = filename } = frame;
  if (frameFamily(frame, platform) !== 'java') return find(path, frame.in_app === true);
  if (module === undefined) return undefined;
  const folder = module.slice(0, module.lastIndexOf('.') + 1).replaceAll('.', '/');
  const dot = filename.lastIndexOf('.');
  const name = dot < 0 ? filename : filename.slice(0, dot);
  // Bundles of the JVM have one ending for all of its languages.
  return (await find(`${folder}${name}.jvm`, true)) ?? find(`${folder}${filename}`, false);
}

function place(frame: Frame, text: string): boolean {
  const at = (frame.lineno ?? 0) - 1;
  const lines = linesAround(text, at);
  const line = lines?.line;
  if (!lines || line === undefined) return false;
  // Told apart from what the SDK sent.
  frame.data = { ...frame.data, source: 'uploaded' };
  frame.pre_context = lines.pre.map(cutLine);
  frame.context_line = cutLine(line);
  frame.post_context = lines.post.map(cutLine);
  return true;
}

const cutLine = (line: string): string => cutText(line.replace(/\r$/, ''), textLimits.contextLine);

/** Line `at`, counted from 0, without splitting all of the text. */
function linesAround(
  text: string,
  at: number,
): { pre: string[]; line: string | undefined; post: string[] } | undefined {
  const lines: string[] = [];
  let number = 0;
  for (let start = 0; start <= text.length && number <= at + contextLines; number += 1) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    if (number >= at - contextLines) lines.push(text.slice(start, end));
    start = end + 1;
  }
  const place = Math.min(at, contextLines);
  return lines.length > place
    ? { pre: lines.slice(0, place), line: lines[place], post: lines.slice(place + 1) }
    : undefined;
}
