/** Stack frames. This runs for every frame of every event, so it reads each field once and makes one object. */
import type { Frame, Stacktrace } from '../event.ts';
import { asBoolean, asCount, asList, asObject, asText, type JsonObject } from '../json.ts';
import { countLimits, cutText, textLimits, type TextLimit } from '../limits.ts';
import type { StackTaking } from '../known-stacks.ts';
import type { Remarks } from '../remarks.ts';
import { parseLock } from './locks.ts';

const urlScheme = /^(?:https?|file|applewebdata|capacitor|blob):/i;

/** `path`: where it stands in the event. `taking` has the frames for which a mark stands. */
export function parseStacktrace(
  value: unknown,
  remarks: Remarks,
  path: readonly (string | number)[],
  taking?: StackTaking,
): Stacktrace | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const taken = typeof object.frames === 'string' ? taking?.take(object.frames) : undefined;
  if (taken && 'known' in taken) return withMoment({ frames: taken.known }, object);
  const list = taken ? taken.list : asList(object.frames);
  if (!list || list.length === 0) return undefined;
  const { kept, omitted } = selectFrames(list);
  const frames: Frame[] = [];
  for (const entry of kept) {
    const frame = asObject(entry);
    if (frame) frames.push(parseFrame(frame));
  }
  if (frames.length === 0) return undefined;
  slimFrames(frames);
  const stacktrace: Stacktrace = { frames };
  if (omitted) {
    stacktrace.frames_omitted = omitted;
    remarks.changed([...path, 'frames'], '!limit', 'x', list.length);
  } else taken?.keep(frames);
  return withMoment(stacktrace, object);
}

/** What differs where the frames are the same. */
function withMoment(stacktrace: Stacktrace, { registers, snapshot }: JsonObject): Stacktrace {
  if (asObject(registers)) stacktrace.registers = registers;
  if (snapshot === true) stacktrace.snapshot = true;
  return stacktrace;
}

/** Newest frames tell where it broke, the oldest how it got there; the middle of an endless recursion tells nothing. */
function selectFrames(list: readonly unknown[]): { kept: readonly unknown[]; omitted?: [number, number] } {
  if (list.length <= countLimits.frames) return { kept: list };
  const newest = countLimits.frames - countLimits.oldestFrames;
  const kept = [...list.slice(0, countLimits.oldestFrames), ...list.slice(list.length - newest)];
  return { kept, omitted: [countLimits.oldestFrames, list.length - newest] };
}

/** Beyond 50 frames, frames from the middle lose what takes most room: library frames first, oldest first. */
function slimFrames(frames: Frame[]): void {
  let excess = frames.length - countLimits.fullFrames;
  if (excess <= 0) return;
  for (const frame of frames) {
    if (excess === 0) return;
    if (frame.in_app === true) continue;
    slim(frame);
    excess--;
  }
  const own = frames.filter((frame) => frame.in_app === true);
  const start = Math.floor((own.length - excess) / 2);
  for (const frame of own.slice(start, start + excess)) slim(frame);
}

function slim(frame: Frame): void {
  frame.vars = undefined;
  frame.pre_context = undefined;
  frame.post_context = undefined;
}

function parseFrame(raw: JsonObject): Frame {
  let filename = bounded(raw.filename, textLimits.path);
  const absPath = bounded(raw.abs_path, textLimits.absPath) ?? bounded(raw.filename, textLimits.absPath);
  if (filename === undefined && absPath !== undefined) {
    filename = cutText(urlScheme.test(absPath) ? pathOfUrl(absPath) : absPath, textLimits.path);
  }
  const name = bounded(raw.function, textLimits.function);
  const symbol = bounded(raw.symbol, textLimits.function);
  const contextLine = raw.context_line;
  const pre = contextLines(raw.pre_context);
  const post = contextLines(raw.post_context);
  const hasContext = pre !== undefined || post !== undefined;
  const frame: Frame = {
    function: name === '?' ? undefined : name,
    module: bounded(raw.module, textLimits.path),
    filename,
    abs_path: absPath,
    lineno: asCount(raw.lineno),
    colno: asCount(raw.colno),
    in_app: asBoolean(raw.in_app),
    pre_context: pre,
    context_line:
      typeof contextLine === 'string' ? cutText(contextLine, textLimits.contextLine) : hasContext ? '' : undefined,
    post_context: post,
  };
  if (asObject(raw.vars) || Array.isArray(raw.vars)) frame.vars = raw.vars;
  if (symbol !== undefined && symbol !== '?') frame.symbol = symbol;
  if (raw.package !== undefined) frame.package = bounded(raw.package, textLimits.path);
  if (raw.raw_function !== undefined) frame.raw_function = bounded(raw.raw_function, textLimits.function);
  if (raw.platform !== undefined) frame.platform = bounded(raw.platform, textLimits.symbol);
  if (raw.instruction_addr !== undefined) parseAddresses(raw, frame);
  if (raw.native === true) frame.native = true;
  const lock = asObject(raw.lock);
  if (lock) frame.lock = parseLock(lock);
  const data = asObject(raw.data);
  const sourcemap = asText(data?.sourcemap);
  if (sourcemap !== undefined) frame.data = { sourcemap: cutText(sourcemap, textLimits.absPath) };
  return frame;
}

function parseAddresses(raw: JsonObject, frame: Frame): void {
  frame.instruction_addr = bounded(raw.instruction_addr, textLimits.symbol);
  frame.symbol_addr = bounded(raw.symbol_addr, textLimits.symbol);
  frame.image_addr = bounded(raw.image_addr, textLimits.symbol);
  frame.addr_mode = bounded(raw.addr_mode, textLimits.symbol);
  if (raw.trust !== undefined) frame.trust = bounded(raw.trust, textLimits.symbol);
}

function bounded(value: unknown, limit: TextLimit): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : cutText(value, limit);
  return value === undefined || value === null ? undefined : asText(value);
}

/** At most 20 lines each way; null lines are empty ones. */
function contextLines(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const lines: string[] = [];
  for (const line of value) {
    if (lines.length === 20) break;
    lines.push(typeof line === 'string' ? cutText(line, textLimits.contextLine) : '');
  }
  return lines;
}

function pathOfUrl(url: string): string {
  const start = url.indexOf('://');
  const slash = start < 0 ? -1 : url.indexOf('/', start + 3);
  if (slash < 0) return url;
  const end = url.slice(slash).search(/[?#]/);
  return end < 0 ? url.slice(slash) : url.slice(slash, slash + end);
}
