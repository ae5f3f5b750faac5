/** Go's goroutines: a call stands in one line, its place in the next. Of several goroutines the first one counts. */
import type { StackFrame, StackText } from '../types.ts';
import { type Draft, draft, finish, linesOf, maxExceptions } from './text.ts';

const goroutine = /^(goroutine \d{1,19})(?: gp=\S{1,40} m=\S{1,40}(?: mp=\S{1,40})?)? \[[^\]]{1,100}\]:$/;
const place = /^\t(.{1,1000}):(\d{1,9})(?: \+0x[\da-f]{1,16})?(?: fp=.{0,200})?$/;
const fatal = 'fatal error: ';
const panic = 'panic: ';
const createdBy = 'created by ';
const recovered = / \[recovered(?:, repanicked)?\]$/;

export function readGo(text: string): StackText | undefined {
  const drafts: Draft[] = [];
  let current: Draft | undefined;
  let name: string | undefined;
  let isInMessage = false;
  let before = '';
  const frames: StackFrame[] = [];
  for (const line of linesOf(text)) {
    const at = line.startsWith('\t') ? place.exec(line) : undefined;
    if (at) {
      const frame = frameOf(before, at);
      if (frame) frames.push(frame);
      before = '';
      continue;
    }
    const started = line.startsWith('goroutine ') ? goroutine.exec(line) : undefined;
    if (started) {
      if (frames.length > 0 || name !== undefined) break;
      name = started[1];
      isInMessage = false;
      continue;
    }
    if (name === undefined && frames.length === 0) {
      const next = panicOf(line);
      if (next && drafts.length < maxExceptions) {
        next.parent = undefined;
        drafts.push(next);
        current = next;
        isInMessage = true;
        continue;
      }
      if (isInMessage && !line.startsWith('[signal ')) current?.value.push(line.replace(/^\t/, ''));
    }
    before = line;
  }
  if (frames.length === 0) return undefined;
  // A panic while another one was handled is printed below it.
  const panics = drafts.toReversed();
  for (const [index, one] of panics.entries()) {
    if (index > 0) Object.assign(one, { parent: panics[index - 1], relation: 'context' });
  }
  const first = panics[0] ?? draft('', undefined);
  first.frames.push(...frames);
  const exceptions = finish(panics.length > 0 ? panics : [first], true);
  return { language: 'go', exceptions, ...(name !== undefined && { thread: name }) };
}

function panicOf(line: string): Draft | undefined {
  const said = line.trimStart();
  if (said.startsWith(panic)) return draft('panic', said.slice(panic.length).replace(recovered, ''));
  return line.startsWith(fatal) ? draft('fatal error', line.slice(fatal.length)) : undefined;
}

function frameOf(call: string, [, path = '', lineno]: RegExpExecArray): StackFrame | undefined {
  let name = call.trim();
  if (name.startsWith(createdBy)) name = name.slice(createdBy.length).replace(/ in goroutine \d{1,19}$/, '');
  else if (name.endsWith(')')) name = name.slice(0, openingOf(name));
  if (name === '') return undefined;
  const dot = name.indexOf('.', name.lastIndexOf('/') + 1);
  const named = dot <= 0 ? { function: name } : { module: moduleOf(name.slice(0, dot)), function: name.slice(dot + 1) };
  const inApp = !isStandard(path) && !path.includes('/pkg/mod/') && !path.includes('/vendor/');
  return { ...named, filename: shortOf(path), absPath: path, lineno: Number(lineno), inApp };
}

/** Where the arguments begin: after a receiver's parentheses and those of closures. */
function openingOf(name: string): number {
  let depth = 0;
  for (let at = name.length - 1; at > 0; at--) {
    const char = name.charCodeAt(at);
    if (char === 41) depth++;
    else if (char === 40 && --depth === 0) return at;
  }
  return name.length;
}

/** Dots in the last part of a package's path are written as `%2e`. */
const moduleOf = (path: string): string => path.replaceAll('%2e', '.');

const isStandard = (path: string): boolean => /\/(?:go|golang|go-\d[\d.]{0,8})\/src\//.test(path);

function shortOf(path: string): string {
  for (const folder of ['/pkg/mod/', '/vendor/', '/go/src/']) {
    const at = path.lastIndexOf(folder);
    if (at >= 0) return path.slice(at + folder.length);
  }
  return path.slice(path.lastIndexOf('/') + 1);
}
