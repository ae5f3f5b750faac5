/** Monitors of the JVM, and the ids of threads that hold them. */
import type { Lock, ThreadId } from '../event.ts';
import { asCount, asObject, asText, type JsonObject } from '../json.ts';
import { countLimits, cutText, type TextLimit, textLimits } from '../limits.ts';

/** Whole numbers stay numbers. */
export function parseThreadId(value: unknown): ThreadId | undefined {
  return Number.isSafeInteger(value) ? (value as number) : bounded(value, textLimits.short);
}

export function parseLocks(raw: JsonObject): Record<string, Lock> {
  const locks: Record<string, Lock> = {};
  let count = 0;
  for (const address in raw) {
    const lock = asObject(raw[address]);
    if (!lock || address === '__proto__') continue;
    if (++count > countLimits.locks) break;
    locks[cutText(address, textLimits.symbol)] = parseLock(lock);
  }
  return locks;
}

export function parseLock(raw: JsonObject): Lock {
  const lock: Lock = {};
  const type = asCount(raw.type);
  if (type !== undefined) lock.type = type;
  const address = bounded(raw.address, textLimits.symbol);
  if (address !== undefined) lock.address = address;
  const ofPackage = bounded(raw.package_name, textLimits.type);
  if (ofPackage !== undefined) lock.package_name = ofPackage;
  const ofClass = bounded(raw.class_name, textLimits.type);
  if (ofClass !== undefined) lock.class_name = ofClass;
  const thread = parseThreadId(raw.thread_id);
  if (thread !== undefined) lock.thread_id = thread;
  return lock;
}

function bounded(value: unknown, limit: TextLimit): string | undefined {
  const text = asText(value);
  return text === undefined ? undefined : cutText(text, limit);
}
