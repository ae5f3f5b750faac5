/** Adds the lines around each frame of our own code, read from disk: the program runs from its sources. */
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The frame of an event, as far as it is read and written here. */
export interface Frame {
  filename?: string | undefined;
  abs_path?: string | undefined;
  lineno?: number | undefined;
  in_app?: boolean | undefined;
  context_line?: string | undefined;
  pre_context?: string[] | undefined;
  post_context?: string[] | undefined;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const around = 5;
const longestLine = 300;
const maxFiles = 20;
const maxFileBytes = 1024 * 1024;

/** Files are named from the root of the program, so that the same failure is the same wherever it is installed. */
export async function addSource(frames: readonly Frame[], base = root): Promise<void> {
  const files = new Map<string, Promise<readonly string[]>>();
  await Promise.all(
    frames.map(async (frame) => {
      const path = frame.filename;
      if (!path?.startsWith(base)) return;
      frame.abs_path = path;
      frame.filename = relative(base, path);
      if (!frame.in_app || !frame.lineno) return;
      let lines = files.get(path);
      if (!lines) {
        if (files.size >= maxFiles) return;
        lines = linesOf(path);
        files.set(path, lines);
      }
      addLines(frame, await lines, frame.lineno - 1);
    }),
  );
}

function addLines(frame: Frame, lines: readonly string[], at: number): void {
  const line = lines[at];
  if (line === undefined) return;
  frame.pre_context = lines.slice(Math.max(0, at - around), at).map(cut);
  frame.context_line = cut(line);
  frame.post_context = lines.slice(at + 1, at + 1 + around).map(cut);
}

const cut = (line: string): string => line.slice(0, longestLine);

/** None when there is no such file any more. */
async function linesOf(path: string): Promise<readonly string[]> {
  try {
    if ((await stat(path)).size > maxFileBytes) return [];
    return (await readFile(path, 'utf8')).split(/\r?\n/);
  } catch {
    return [];
  }
}
