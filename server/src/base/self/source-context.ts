/** Adds the lines around each frame of our own code, read from disk; where a bundle runs, those of what it was made of. */
import { readFile, stat } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The frame of an event, as far as it is read and written here. */
export interface Frame {
  filename?: string | undefined;
  abs_path?: string | undefined;
  lineno?: number | undefined;
  colno?: number | undefined;
  in_app?: boolean | undefined;
  context_line?: string | undefined;
  pre_context?: string[] | undefined;
  post_context?: string[] | undefined;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const bundle = fileURLToPath(new URL('../../../dist/', import.meta.url));
const around = 5;
const longestLine = 300;
const maxFiles = 20;
const maxFileBytes = 1024 * 1024;

/** Files are named from the root of the program, so that the same failure is the same wherever it is installed. */
export async function addSource(frames: readonly Frame[], base = root): Promise<void> {
  const files = new Map<string, Promise<readonly string[]>>();
  const maps = new Map<string, Promise<SourceMap | undefined>>();
  await Promise.all(
    frames.map(async (frame) => {
      await unbundle(frame, maps);
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

/** To where its code stood before it was bundled; as it is where there is no map. */
async function unbundle(frame: Frame, maps: Map<string, Promise<SourceMap | undefined>>): Promise<void> {
  const { filename: path, lineno, colno } = frame;
  if (!path?.startsWith(bundle) || !lineno || !colno) return;
  let map = maps.get(path);
  if (!map) {
    map = readMap(`${path}.map`);
    maps.set(path, map);
  }
  // Entries have lines and columns from zero; a frame, from one.
  const entry = (await map)?.findEntry(lineno - 1, colno - 1);
  if (!entry || !('originalSource' in entry)) return;
  frame.filename = resolve(dirname(path), entry.originalSource);
  frame.lineno = entry.originalLine + 1;
  frame.colno = entry.originalColumn + 1;
  frame.in_app = !frame.filename.includes('/node_modules/');
}

async function readMap(path: string): Promise<SourceMap | undefined> {
  try {
    return new SourceMap(JSON.parse(await readFile(path, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
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
