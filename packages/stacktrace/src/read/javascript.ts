/** An error's `stack` in Chromium's, Node's, Firefox's and Safari's form, and what consoles print of it. */
import type { StackFrame, StackText } from '../types.ts';
import { draft, finish, linesOf } from './text.ts';

const v8 = /^at (?:async )?(?:(.{1,300}) \()?([^()\s][^()]{0,600}?):(\d{1,9}):(\d{1,9})\)?$/;
const gecko = /^([^@]{0,300})@(.{1,600}?):(\d{1,9}):(\d{1,9})$/;
const headerLine = /^(?:Uncaught (?:\(in promise\) )?)?([A-Za-z_$][\w$.]{0,200})(?: \[[\w-]{1,100}\])?: (.*)$/;
const end = /^(?:\[?cause\]?|Caused by):/i;

export function readJavascript(text: string): StackText | undefined {
  let one = draft('', undefined);
  let isInMessage = false;
  for (const full of linesOf(text)) {
    const line = full.trim();
    if (end.test(line)) break;
    const match = v8.exec(line) ?? gecko.exec(line);
    if (match) {
      one.frames.push(frameOf(match));
      isInMessage = false;
      continue;
    }
    const [, type, value] = one.frames.length === 0 && !isInMessage ? (headerLine.exec(line) ?? []) : [];
    if (type !== undefined) {
      one = draft(type, value);
      isInMessage = true;
    } else if (isInMessage) one.value.push(full);
  }
  return one.frames.length === 0 ? undefined : { language: 'javascript', exceptions: finish([one], true) };
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
