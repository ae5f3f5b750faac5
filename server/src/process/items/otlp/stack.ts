/** Frames out of the text of a stack, as languages print it. What cannot be read gives none. */

import { readJavascript } from '@culprit/stacktrace';

export interface StackFrame {
  function?: string;
  module?: string;
  filename?: string;
  abs_path?: string;
  lineno?: number;
  colno?: number;
  in_app?: boolean;
}

interface Format {
  /** The innermost call stands in the first line. */
  readonly innermostFirst: boolean;
  /** Of one line; undefined for a line that is no frame. */
  readonly frame: (line: string) => StackFrame | undefined;
  /** Of this line and those after it nothing belongs to the exception itself. */
  readonly end?: RegExp;
  /** What stood before this line belongs to an exception that led to this one. */
  readonly restart?: RegExp;
}

const maxLines = 500;
const maxLine = 600;
const maxFrames = 250;

const python = /^File "([^"]{1,600})", line (\d{1,9})(?:, in (.{1,300}))?$/;
const java = /^at (?:[\w.@-]{0,100}\/){0,2}([\w.$<>]{1,400})\(([^():]{1,300})(?::(\d{1,9}))?\)$/;
const dotnet = /^at ([^()]{1,400})\(.{0,500}?\)(?: in (.{1,500}):line (\d{1,9}))?$/;
const ruby = /^(?:from )?([^\s:][^:]{0,500}):(\d{1,9}):in [`'](.{1,300})'$/;
const php = /^#\d{1,4} (.{1,500}?)\((\d{1,9})\): (.{1,300})$/;
const goPlace = /^(\/?[^\s:][^:]{0,500}\.go):(\d{1,9})(?: \+0x[\da-f]{1,16})?$/;

const formats: Readonly<Record<string, Format>> = {
  python: {
    innermostFirst: false,
    frame(line) {
      const [, path = '', lineno, name] = python.exec(line) ?? [];
      return path === '' ? undefined : { ...place(path, lineno), function: name, in_app: !isPythonLibrary(path) };
    },
    restart: /^Traceback \(most recent call last\):$/,
  },
  java: {
    innermostFirst: true,
    frame(line) {
      const [, name = '', file, lineno] = java.exec(line) ?? [];
      const dot = name.lastIndexOf('.');
      if (dot <= 0) return undefined;
      const filename = file === 'Native Method' || file === 'Unknown Source' ? undefined : file;
      const module = name.slice(0, dot);
      return { module, function: name.slice(dot + 1), filename, lineno: lineNumber(lineno), in_app: true };
    },
    end: /^(?:Caused by|Suppressed):/,
  },
  csharp: {
    innermostFirst: true,
    frame(line) {
      const [, name = '', path, lineno] = dotnet.exec(line) ?? [];
      const dot = name.lastIndexOf('.');
      if (dot <= 0) return undefined;
      const isOwn = !/^(?:System|Microsoft)\./.test(name);
      const at = path === undefined ? {} : place(path, lineno);
      return { ...at, module: name.slice(0, dot), function: name.slice(dot + 1), in_app: isOwn };
    },
    end: /^--->/,
  },
  ruby: {
    innermostFirst: true,
    frame(line) {
      const [, path = '', lineno, name] = ruby.exec(line) ?? [];
      return path === '' ? undefined : { ...place(path, lineno), function: name, in_app: !path.includes('/gems/') };
    },
  },
  php: {
    innermostFirst: true,
    frame(line) {
      const [, path = '', lineno, name = ''] = php.exec(line) ?? [];
      if (path === '') return undefined;
      const call = name.indexOf('(');
      const isOwn = !path.includes('/vendor/');
      return { ...place(path, lineno), function: call > 0 ? name.slice(0, call) : name, in_app: isOwn };
    },
  },
  go: {
    innermostFirst: true,
    // A call and its place stand on two lines; `readStack` joins them.
    frame(line) {
      const tab = line.lastIndexOf('\t');
      const [, path = '', lineno] = goPlace.exec(line.slice(tab + 1)) ?? [];
      if (path === '') return undefined;
      const isOwn = !path.includes('/go/src/') && !path.includes('/pkg/mod/');
      return { ...place(path, lineno), ...goName(line.slice(0, Math.max(tab, 0))), in_app: isOwn };
    },
  },
};

/** Oldest call first, as events have them. `platform` is that of the span. */
export function readStack(text: string, platform: string): StackFrame[] {
  if (platform === 'node' || platform === 'javascript') {
    return readJavascript(text).map(({ absPath, inApp, ...rest }) => ({ ...rest, abs_path: absPath, in_app: inApp }));
  }
  const format = Object.hasOwn(formats, platform) ? formats[platform] : undefined;
  if (!format || text === '') return [];
  let frames: StackFrame[] = [];
  let before = '';
  for (const full of text.split('\n', maxLines)) {
    if (full.length > maxLine) continue;
    const line = full.trim();
    if (format.end?.test(line)) break;
    if (format.restart?.test(line)) frames = [];
    const frame = format.frame(platform === 'go' ? `${before}\t${line}` : line);
    before = line;
    if (frame) frames.push(frame);
  }
  if (format.innermostFirst) frames.reverse();
  return frames.slice(-maxFrames);
}

function place(path: string, lineno: string | undefined): StackFrame {
  const bare = path.startsWith('file://') ? path.slice('file://'.length) : path;
  return { filename: bare, abs_path: bare, lineno: lineNumber(lineno) };
}

function lineNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function isPythonLibrary(path: string): boolean {
  return /\/(?:site|dist)-packages\/|\/lib\/python\d|^<frozen /.test(path);
}

/** `github.com/org/app/pay.(*Till).Charge(0xc000)` → module `github.com/org/app/pay`, function `(*Till).Charge`. */
function goName(call: string): StackFrame {
  const open = call.lastIndexOf('(');
  const name = open > 0 ? call.slice(0, open) : call;
  const dot = name.indexOf('.', name.lastIndexOf('/') + 1);
  return dot <= 0 ? { function: name || undefined } : { module: name.slice(0, dot), function: name.slice(dot + 1) };
}
