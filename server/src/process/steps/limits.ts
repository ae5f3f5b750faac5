/** How much of an event is kept. Characters are code points; a text may exceed its limit by the allowance uncut. */
import type { Remarks } from './remarks.ts';

export interface TextLimit {
  readonly max: number;
  readonly allowance: number;
}

const text = (max: number, allowance = 0): TextLimit => ({ max, allowance });

export const textLimits = {
  message: text(8192, 200),
  type: text(256, 20),
  function: text(512, 20),
  path: text(256, 40),
  /** A frame's path may carry a long URL; symbolication needs it whole. */
  absPath: text(2048, 40),
  contextLine: text(512),
  url: text(2048),
  name: text(200),
  short: text(128),
  email: text(75),
  symbol: text(64),
} as const;

export interface BagLimit {
  /** Characters of all keys and values together. */
  readonly maxSize: number;
  readonly maxDepth: number;
  /** Characters of one value. */
  readonly maxText: number;
  /** Entries of all its lists and objects together; 10,000 unless said. */
  readonly maxEntries?: number;
}

export const bagLimits = {
  large: { maxSize: 8 * 1024, maxDepth: 7, maxText: 8 * 1024 },
  medium: { maxSize: 2 * 1024, maxDepth: 5, maxText: 2 * 1024 },
  small: { maxSize: 1024, maxDepth: 3, maxText: 1024 },
} as const satisfies Record<string, BagLimit>;

/** Of each value, and characters of all of them. */
export const extraLimits = {
  limit: { maxSize: 16 * 1024, maxDepth: 8, maxText: 16 * 1024 },
  total: 256 * 1024,
} as const;

/** Of each variable; characters of all of a frame, and of all of an event. */
export const localsLimits = {
  limit: { maxSize: 2 * 1024, maxDepth: 5, maxText: 2 * 1024 },
  frame: 8 * 1024,
  event: 256 * 1024,
} as const;

export const countLimits = {
  frames: 250,
  oldestFrames: 50,
  /** Beyond so many frames the middle ones lose variables and context. */
  fullFrames: 50,
  breadcrumbs: 100,
  exceptions: 50,
  threads: 250,
  /** Of one thread. */
  locks: 50,
  tags: 200,
  contexts: 100,
  fingerprint: 50,
  headers: 200,
  modules: 2000,
  images: 500,
  integrations: 200,
} as const;

/** The text, or its beginning and `...` where it is longer than the limit allows. Never ends within a surrogate pair. */
export function cutText(
  value: string,
  limit: TextLimit,
  remarks?: Remarks,
  path?: readonly (string | number)[],
): string {
  const most = limit.max + limit.allowance;
  if (value.length <= most) return value;
  let points = 0;
  let end = value.length;
  let index = 0;
  while (index < value.length) {
    if (points === limit.max - 3) end = index;
    points++;
    if (points > most) break;
    const unit = value.charCodeAt(index);
    index += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
  }
  if (points <= most) return value;
  remarks?.changed(path ?? [], '!limit', 's', value.length);
  return `${value.slice(0, end)}...`;
}
