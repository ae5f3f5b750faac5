import type { StackFrame } from '../types.ts';
import { maxFrames, maxLine, maxLines } from './limits.ts';

const v8 = /^at (?:async )?(?:(.{1,300}) \()?([^()\s][^()]{0,600}?):(\d{1,9}):(\d{1,9})\)?$/;
const gecko = /^([^@]{0,300})@(.{1,600}?):(\d{1,9}):(\d{1,9})$/;
const end = /^(?:\[?cause\]?|Caused by):/i;

/** Frames of an error's `stack` in Chromium's, Node's, Firefox's and Safari's form, oldest call first. */
export function readJavascript(text: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const full of text.split('\n', maxLines)) {
    if (full.length > maxLine) continue;
    const line = full.trim();
    if (end.test(line)) break;
    const match = v8.exec(line) ?? gecko.exec(line);
    if (match) frames.push(frameOf(match));
  }
  return frames.slice(0, maxFrames).toReversed();
}

function frameOf([, name, place = '', lineno, colno]: RegExpExecArray): StackFrame {
  const path = place.startsWith('file://') ? place.slice('file://'.length) : place;
  const inApp = !path.includes('node_modules/') && !path.startsWith('node:') && !path.startsWith('internal/');
  return {
    function: name || undefined,
    filename: path,
    absPath: path,
    lineno: Number(lineno),
    colno: Number(colno),
    inApp,
  };
}
