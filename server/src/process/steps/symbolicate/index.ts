/** Frames of built JavaScript become lines of the sources they were built from. Maps come through `Script`, from whoever has them. */
import type { Event, Frame } from '../event.ts';
import { cutText, textLimits } from '../limits.ts';
import { markObfuscated } from './obfuscated.ts';
import { sourcePath } from './source-path.ts';
import { maxMissing, type Stack, scriptKey, stacksToMap, type WantedScript } from './scripts.ts';

export {
  missingScripts,
  parseDebugId,
  pathOf,
  scriptKey,
  scriptsOf,
  type Stack,
  stacksToMap,
  stacktracesOf,
  type WantedScript,
} from './scripts.ts';
export { debugWorkOf, type DebugWork, missingFiles, sourcesKey } from './debug-images.ts';
export { type JavaMapping, retraceEvent } from './java.ts';
export { readClassLine } from './proguard/read.ts';
export { addSources, type FindSource } from './source-context.ts';
export { isOwnSource, sourcePath } from './source-path.ts';

/** Where a place in a built file comes from. Lines and columns are 1-based. */
export interface SourcePosition {
  readonly source: string;
  readonly sourceId: number;
  readonly line: number;
  readonly column: number;
  /** What stands there; where a function is called, its name. */
  readonly name: string | undefined;
  /** Of the function around it. */
  readonly functionName: string | undefined;
}

/** A line of a source with those around it. */
interface SourceContext {
  readonly pre: readonly string[];
  readonly line: string;
  readonly post: readonly string[];
}

export interface SourceLookup {
  find(line: number, column: number, minifiedName?: string): Promise<SourcePosition | undefined>;
  context(sourceId: number, line: number, around: number): Promise<SourceContext | undefined>;
}

/** What is known of a built file. */
export interface Script {
  /** Name of the map; '' where the file was uploaded without one. */
  readonly mapUrl: string;
  /** Why the map cannot be used; '' for no reason. */
  readonly problem: string;
  readonly lookup: SourceLookup | undefined;
}

/** Why a frame is still one of built code. */
export type UnresolvedCode = 'no_artifact' | 'no_map' | 'map_invalid' | 'no_mapping' | 'no_position' | 'no_source';

export interface Symbolicated {
  /** Frames by the key of their script. */
  readonly mapped: ReadonlyMap<WantedScript, number>;
  /** Keys of the scripts whose arrival would help. */
  readonly missing: readonly string[];
}

const contextLines = 5;

/** Changes the frames of `stacks` in place, once everything has been looked up: what throws changes nothing. */
export async function symbolicate(
  stacks: readonly Stack[],
  scriptOf: (wanted: WantedScript) => Script | undefined,
): Promise<Symbolicated> {
  const located = await Promise.all(
    stacks.map(({ frames, wanted }) =>
      Promise.all(frames.map((frame, index) => locate(frame, wanted[index], scriptOf))),
    ),
  );
  const mapped = new Map<WantedScript, number>();
  const missing = new Set<string>();
  for (const [number, { frames, wanted }] of stacks.entries()) {
    const found = located[number] ?? [];
    for (const [index, result] of found.entries()) {
      const frame = frames[index];
      const script = wanted[index];
      if (!frame || !script || !result) continue;
      if (result.kind === 'unresolved') {
        if (result.code !== 'no_artifact') markUnresolved(frame, script, result.code, result.detail);
        else if (frame.data) frame.data.unresolved = undefined;
        if (isMissing(result.code) && missing.size < maxMissing) missing.add(scriptKey(script));
        continue;
      }
      mapped.set(script, (mapped.get(script) ?? 0) + 1);
      place(frame, result, found[index - 1]);
    }
  }
  return { mapped, missing: [...missing] };
}

/**
 * Marks the frames of a stored event for whose scripts nothing was there. That is most frames of who uploads nothing,
 * so it is said where the event is read instead of being stored with each.
 */
export function markMissing(event: Event): void {
  for (const { frames, wanted } of stacksToMap(event)) {
    for (const [index, frame] of frames.entries()) {
      const script = wanted[index];
      if (script && frame.data?.unresolved === undefined) markUnresolved(frame, script, 'no_artifact');
    }
  }
  markObfuscated(event);
}

const isMissing = (code: UnresolvedCode): boolean =>
  code === 'no_artifact' || code === 'no_map' || code === 'map_invalid';

interface Found {
  readonly kind: 'position';
  readonly mapUrl: string;
  readonly position: SourcePosition;
  readonly context: SourceContext | undefined;
}

type Located = Found | { readonly kind: 'unresolved'; readonly code: UnresolvedCode; readonly detail?: string };

async function locate(
  frame: Frame,
  wanted: WantedScript | undefined,
  scriptOf: (wanted: WantedScript) => Script | undefined,
): Promise<Located | undefined> {
  if (!wanted) return undefined;
  const script = scriptOf(wanted);
  if (!script) return { kind: 'unresolved', code: 'no_artifact' };
  const { lookup, mapUrl, problem } = script;
  if (problem !== '') return { kind: 'unresolved', code: 'map_invalid', detail: problem };
  if (!lookup) return { kind: 'unresolved', code: 'no_map' };
  if (!frame.lineno || !frame.colno) return { kind: 'unresolved', code: 'no_position' };
  const position = await lookup.find(frame.lineno, frame.colno, frame.function);
  if (!position) return { kind: 'unresolved', code: 'no_mapping' };
  const context = await lookup.context(position.sourceId, position.line, contextLines);
  return { kind: 'position', mapUrl, position, context };
}

/**
 * The map's own word for the function; else what the caller calls here, if it calls it by the same minified name; else
 * the name that the SDK sent.
 */
function nameOf(frame: Frame, { position }: Found, caller: Located | undefined): string | undefined {
  if (position.functionName !== undefined) return position.functionName;
  const called = caller?.kind === 'position' && !isLibrary(caller.position.source) ? caller.position.name : undefined;
  return called !== undefined && isShortName(frame.function) ? called : frame.function;
}

/** One or two letters, alone or after a dot: what a minifier gives. Longer names were written by people. */
const isShortName = (name: string | undefined): boolean => name !== undefined && /^(?:.*\.)?[\w$]{1,2}$/.test(name);
/** Libraries call what they are given by names of their own. */
const isLibrary = (source: string): boolean => source.includes('node_modules/');

function place(frame: Frame, found: Found, caller: Located | undefined): void {
  const { mapUrl, position, context } = found;
  const { abs_path, filename, lineno, colno } = frame;
  const name = nameOf(frame, found, caller);
  const { unresolved: _, ...data } = frame.data ?? {};
  frame.data = {
    ...data,
    sourcemap: cutText(mapUrl, textLimits.absPath),
    raw: { abs_path, filename, lineno, colno, function: frame.function },
    ...(context ? {} : { unresolved: { code: 'no_source' } }),
  };
  frame.abs_path = cutText(position.source, textLimits.absPath);
  frame.filename = cutText(sourcePath(position.source), textLimits.path);
  frame.lineno = position.line;
  frame.colno = position.column;
  frame.function = name === undefined ? undefined : cutText(name, textLimits.function);
  // Of the built file; grouping makes its own from the path of the source.
  frame.module = undefined;
  frame.pre_context = context?.pre.map(cutLine);
  frame.context_line = context && cutLine(context.line);
  frame.post_context = context?.post.map(cutLine);
}

const cutLine = (line: string): string => cutText(line, textLimits.contextLine);

function markUnresolved(frame: Frame, { debugId }: WantedScript, code: UnresolvedCode, detail?: string): void {
  frame.data = {
    ...frame.data,
    unresolved: { code, ...(debugId && { debug_id: debugId }), ...(detail !== undefined && { detail }) },
  };
}
