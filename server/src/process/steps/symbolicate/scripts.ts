/** Which script each frame of JavaScript was built into, and by what it can be looked up. */
import type { Event, Frame, Stacktrace } from '../event.ts';
import { frameFamily } from '../family.ts';
import { asList, asObject, asText, type JsonObject } from '../json.ts';
import { knownPart } from '../known-parts.ts';
import { derived } from '../known-stacks.ts';

/** A built file, as an event names it. */
export interface WantedScript {
  /** Lower case with hyphens; '' where the SDK sent none. */
  readonly debugId: string;
  /** As the frame says: a URL or a path. */
  readonly url: string;
}

/** A stack with the script of each of its frames; undefined where there is nothing to map. */
export interface Stack {
  readonly frames: readonly Frame[];
  readonly wanted: readonly (WantedScript | undefined)[];
}

/** Frames that are looked up in one event; those beyond stay as they are. */
const maxFrames = 1_000;
export const maxMissing = 50;
const noFile =
  /^(?:<|\[|native\b|native code$|eval\b|eval code$|node:|internal\/|data:|wasm:|webkit-masked-url:|(?:chrome|moz|ms-browser|safari|safari-web)-extension:|chrome:\/\/|about:)|\.wasm(?:$|[?#:])/i;
const scriptFile = /\.[cm]?js$/i;
const library = /(?:^|[\\/])node_modules[\\/]/;

/** The stacks of an event in which a frame can be mapped. */
export function stacksToMap(event: Event): Stack[] {
  let images: ReadonlyMap<string, string> | undefined;
  let left = maxFrames;
  const stacks: Stack[] = [];
  for (const { frames } of stacktracesOf(event)) {
    let any = false;
    const wanted = frames.map((frame) => {
      const path = left === 0 ? undefined : scriptPath(frame, event.platform);
      if (path === undefined) return undefined;
      images ??= debugIdsByFile(event);
      const debugId = images.get(path) ?? images.get(frame.filename ?? '') ?? '';
      if (debugId === '' && !looksBuilt(frame, path)) return undefined;
      left--;
      any = true;
      return { debugId, url: path };
    });
    if (any) stacks.push({ frames, wanted });
  }
  return stacks;
}

/** Keys of the scripts of all frames. */
export function missingScripts(stacks: readonly Stack[]): string[] {
  const missing = new Set<string>();
  for (const { wanted } of stacks) {
    for (const script of wanted) if (script && missing.size < maxMissing) missing.add(scriptKey(script));
  }
  return [...missing];
}

/** A frame of JavaScript, as far as it says by what its script can be looked up. */
interface Candidate {
  readonly path: string;
  readonly filename: string;
  readonly built: boolean;
}

/** Keys of the scripts of all frames, where nothing was uploaded that could map one. */
export function scriptsOf(event: Event): string[] {
  const stacks = stacktracesOf(event);
  // So many are looked up: their number matters then.
  if (stacks.reduce((sum, { frames }) => sum + frames.length, 0) > maxFrames) return missingScripts(stacksToMap(event));
  const missing = new Set<string>();
  let images: ReadonlyMap<string, string> | undefined;
  for (const { frames } of stacks) {
    for (const { path, filename, built } of derived(frames, candidatesOf, event.platform)) {
      images ??= debugIdsByFile(event);
      const debugId = images.get(path) ?? images.get(filename) ?? '';
      if ((debugId !== '' || built) && missing.size < maxMissing) missing.add(scriptKey({ debugId, url: path }));
    }
  }
  return [...missing];
}

/** Undefined for a frame that no map can have anything about. */
function scriptPath(frame: Frame, platform: string): string | undefined {
  const path = frame.abs_path ?? frame.filename;
  if (path === undefined || noFile.test(path) || frame.data?.sourcemap !== undefined) return undefined;
  return frameFamily(frame, platform) === 'javascript' ? path : undefined;
}

/** Each once. */
function candidatesOf(frames: readonly Frame[], platform: string): Candidate[] {
  const candidates: Candidate[] = [];
  for (const frame of frames) {
    const path = scriptPath(frame, platform);
    if (path === undefined) continue;
    const { filename = '' } = frame;
    const isSame = (one: Candidate): boolean => one.path === path && one.filename === filename;
    const built = looksBuilt(frame, path);
    if (!candidates.some((one) => isSame(one) && one.built === built)) candidates.push({ path, filename, built });
  }
  return candidates;
}

/** Of exceptions, threads and the event itself. */
export function stacktracesOf(event: Event): Stacktrace[] {
  const stacks: Stacktrace[] = [];
  for (const { stacktrace } of event.exception?.values ?? []) if (stacktrace) stacks.push(stacktrace);
  for (const { stacktrace } of event.threads?.values ?? []) if (stacktrace) stacks.push(stacktrace);
  if (event.stacktrace) stacks.push(event.stacktrace);
  return stacks;
}

/**
 * A script that a browser loaded was nearly always built; a file of a server is the source itself, unless it says
 * otherwise. Development servers serve sources under their own endings, which are legible as they are.
 */
function looksBuilt(frame: Frame, path: string): boolean {
  if (/^(?:https?|app|capacitor|ionic):/i.test(path)) {
    const file = pathOf(path);
    return scriptFile.test(file) && !library.test(file);
  }
  return !library.test(path) && scriptFile.test(path) && (frame.colno ?? 0) > 300;
}

/** The part of a URL that stands for the file, without query and fragment; a path as it is, without `file://`. */
export function pathOf(url: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0];
  const slash = scheme === undefined ? 0 : url.indexOf('/', scheme.length);
  if (slash < 0) return '/';
  const rest = url.slice(slash);
  const end = rest.search(/[?#]/);
  return end < 0 ? rest : rest.slice(0, end);
}

const plainId = /^[0-9a-f]{32}$/;
const spelledId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A debug id in one spelling: lower case with hyphens; undefined for what is none. */
export function parseDebugId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  // As SDKs send it.
  if (value.length === 36 && spelledId.test(value)) return value;
  const digits = value.toLowerCase().replaceAll('-', '');
  if (!plainId.test(digits)) return undefined;
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}

function debugIdsByFile({ debug_meta: meta }: Event): ReadonlyMap<string, string> {
  if (!meta) return noIds;
  return knownPart(meta)?.derive(debugIdsOf, () => debugIdsOf(meta)) ?? debugIdsOf(meta);
}

const noIds: ReadonlyMap<string, string> = new Map();

function debugIdsOf({ images }: JsonObject): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const entry of asList(images) ?? []) {
    const image = asObject(entry);
    const file = asText(image?.code_file);
    const debugId = parseDebugId(image?.debug_id);
    if (image?.type !== 'sourcemap' || file === undefined || debugId === undefined) continue;
    ids.set(file, debugId);
    if (file.startsWith('file://')) ids.set(file.slice('file://'.length), debugId);
  }
  return ids;
}

/** Under what a script that is missing is noted: its debug id, else `~` and its path. */
export const scriptKey = ({ debugId, url }: WantedScript): string => debugId || `~${pathOf(url)}`;
