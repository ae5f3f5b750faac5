/** What of one stack frame takes part in grouping, and why not the rest. Line and column never do. */
import type { Frame } from '../../event.ts';
import { frameFamily, type Family } from '../../family.ts';
import { withoutPackageStore } from '../../in-app.ts';
import { baseName, moduleFromPath, stableFileName, stableModule } from './file-name.ts';

export interface Part {
  readonly value: string;
  /** Absent for a part that counts. */
  readonly why?: string;
}

export interface FrameParts {
  readonly frame: Frame;
  readonly module?: Part;
  readonly filename?: Part;
  readonly function?: Part;
  readonly contextLine?: Part;
  readonly inApp: boolean;
  /** True when at least one part counts. */
  readonly counts: boolean;
  /** Why the whole frame is left out, if it is. */
  readonly ignored?: string;
  /** The name says nothing because a minifier made it. */
  readonly minified: boolean;
}

const url = /^(?:https?|blob|applewebdata):/i;
const noSource = /^(?:\[native code\]|native code|eval code|<anonymous>)$/;
const noName =
  /^(?:\?|<anonymous>|<anonymous function>|Anonymous function|<redacted>|<unknown>|<unknown symbol>)$|\/<$/;
const loopFunctions = new Set([
  'processTicksAndRejections',
  'runMicrotasks',
  'queueMicrotask',
  'runNextTicks',
  'nextTick',
  '_callSuper',
]);
const noiseModule = /^(?:@babel|core-js|regenerator-runtime|tslib)\//;
const noisePath =
  /[\\/](?:newrelic|@sentry|@sentry-internal|logrocket)[\\/]|^org-dartlang-sdk:|cdn\.(?:lr|logrocket)-[^/]{1,40}\/|sentry-cdn\.com\/[^_]/i;
const withContext = new Set<Family>(['javascript', 'python', 'php', 'ruby']);
const maxContextLine = 120;

export function frameParts(frame: Frame, platform: string): FrameParts {
  const family = frameFamily(frame, platform);
  const path = frame.abs_path ?? frame.filename ?? '';
  const isUrl = url.test(path) || (frame.filename !== undefined && url.test(frame.filename));
  const mapped = frame.data?.sourcemap !== undefined;
  const module = modulePart(frame, family, path, mapped);
  const file = filePart(frame, family, path, isUrl, module !== undefined && module.part.why === undefined);
  const name = functionPart(frame, family);
  let functionName = name;
  let context = contextPart(frame, family, isUrl, name);
  let minified = false;
  if (family === 'javascript') {
    if (mapped && context && context.why === undefined && name && name.why === undefined) {
      functionName = { value: name.value, why: 'not used: the source line says more than a mapped name' };
    } else if (!mapped && (isUrl || file?.hashed === true || module?.hashed === true) && isShort(name)) {
      minified = true;
      if (name && name.why === undefined)
        functionName = { value: name.value, why: 'not used: a minified name changes with every build' };
      if (context)
        context = { value: context.value, why: 'not used: a line of minified code changes with every build' };
    }
  }
  const counts =
    (module !== undefined && module.part.why === undefined) ||
    (file !== undefined && file.part.why === undefined) ||
    (functionName !== undefined && functionName.why === undefined) ||
    (context !== undefined && context.why === undefined);
  return {
    frame,
    module: module?.part,
    filename: file?.part,
    function: functionName,
    contextLine: context,
    inApp: frame.in_app === true,
    counts,
    ignored: ignoredBecause(frame, family, path, name),
    minified,
  };
}

/** At most two characters, or none at all. */
function isShort(name: Part | undefined): boolean {
  return name === undefined || name.why !== undefined || name.value.length <= 2;
}

function ignoredBecause(frame: Frame, family: Family, path: string, name: Part | undefined): string | undefined {
  if (family !== 'javascript') return undefined;
  if (name?.value === 'eval') return 'ignored: code run by eval';
  if (noSource.test(path)) return 'ignored: code of the browser itself';
  if (name && loopFunctions.has(name.value)) return 'ignored: the event loop';
  if (frame.module !== undefined && noiseModule.test(frame.module)) return 'ignored: a helper of a compiler';
  if (noisePath.test(path)) return 'ignored: a monitoring library';
  return undefined;
}

type Found = { readonly part: Part; readonly hashed: boolean };

function modulePart(frame: Frame, family: Family, path: string, mapped: boolean): Found | undefined {
  const { module } = frame;
  if (module === undefined) {
    const made = family === 'javascript' && mapped ? moduleFromPath(path) : undefined;
    return made === undefined ? undefined : { part: { value: made }, hashed: false };
  }
  if (family === 'javascript') {
    if (module.includes('/') && path.endsWith(module)) {
      return { part: { value: module, why: 'not used: the address of the page' }, hashed: false };
    }
    const { name, hashed } = stableModule(module);
    if (name === '') return { part: { value: module, why: 'not used: a content hash' }, hashed };
    return { part: { value: name }, hashed };
  }
  if (family === 'java') {
    if (module.includes('$$Lambda$'))
      return { part: { value: module, why: 'not used: a generated lambda class' }, hashed: false };
    return { part: { value: javaModule(module) }, hashed: false };
  }
  return { part: { value: module }, hashed: false };
}

function javaModule(module: string): string {
  if (!/[$\d_]/.test(module)) return module;
  return module
    .replace(/(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+/, '$1')
    .replace(
      /(\$\$(?:[A-Za-z]{1,40}ByCGLIB|EnhancerBy[A-Za-z]{1,40}|FastClassBy[A-Za-z]{1,40}|HibernateProxy|SpringCGLIB)\$\$)\w+/g,
      '$1<auto>',
    )
    .replace(/(_\$\$_(?:jvst|javassist))[\da-f_]{1,20}/i, '$1<auto>')
    .replace(/((?:fn|eval|reify))__\d+/g, '$1__<auto>');
}

function filePart(frame: Frame, family: Family, path: string, isUrl: boolean, hasModule: boolean): Found | undefined {
  const { filename } = frame;
  if (filename === undefined) return undefined;
  const base = baseName(withoutPackageStore(filename));
  const stable = family === 'javascript' ? stableFileName(base) : { name: base.toLowerCase(), hashed: false };
  const name =
    family === 'java' ? stable.name.replace(/(_\$\$_(?:jvst|javassist))[\da-f_]+/i, '$1<auto>') : stable.name;
  const part = (why: string | undefined): Found => ({
    part: why === undefined ? { value: name } : { value: name, why },
    hashed: stable.hashed,
  });
  if (isUrl) return part('not used: the frame points to a web address');
  if (noSource.test(filename) || noSource.test(path)) return part('not used: no file');
  if (name === '') return part('not used: a content hash');
  if (hasModule) return part('not used: the module says more');
  return part(undefined);
}

function functionPart(frame: Frame, family: Family): Part | undefined {
  const raw = family === 'csharp' ? (frame.raw_function ?? frame.function) : (frame.function ?? frame.symbol);
  if (raw === undefined || raw === '') return undefined;
  const name = shortName(raw, family);
  if (name === '' || noName.test(name)) return { value: name, why: 'not used: no real name' };
  if (family === 'php' && name.startsWith('[Anonymous')) return { value: name, why: 'not used: no real name' };
  if (family === 'java' && name.startsWith('lambda$')) return { value: name, why: 'not used: a generated name' };
  return { value: name };
}

function shortName(raw: string, family: Family): string {
  switch (family) {
    case 'javascript': {
      const alias = raw.indexOf(' [as ');
      const name = alias < 0 ? raw : raw.slice(0, alias);
      return name.slice(name.lastIndexOf('.') + 1).trim();
    }
    case 'ruby':
      return raw.startsWith('block ') ? 'block' : raw.replace(/_{1,3}\d+_\d+$/, '');
    case 'php':
      return raw.replace(/^.{0,300}class@anonymous[^:]{0,400}::/, '');
    case 'native':
      return nativeName(raw);
    default:
      return raw;
  }
}

/** C++ and Rust names without parameters, template arguments, return type and hash. */
function nativeName(raw: string): string {
  let name = raw.replace(/::h[\da-f]{16}$/, '').replace(/(?: const)?(?: \[clone [^\]]{1,80}\])?$/, '');
  if (/^[-+]\[/.test(name)) return name;
  if (name.includes('(') && !name.includes('operator()')) {
    const open = name.startsWith('(anonymous') ? name.indexOf('(', 1) : name.search(/\((?!anonymous|anon)/);
    if (open > 0) name = name.slice(0, open);
  }
  return name
    .replace(/<[^<>]{0,400}>/g, '')
    .replace(/^(?:[\w:]+[*&]*\s)+(?=[\w:~]+$)/, '')
    .trim();
}

function contextPart(frame: Frame, family: Family, isUrl: boolean, name: Part | undefined): Part | undefined {
  const line = frame.context_line;
  if (line === undefined || !withContext.has(family)) return undefined;
  const value = /\s\s|[\t\r\n]|^\s|\s$/.test(line) ? line.trim().replace(/\s+/g, ' ') : line;
  if (value === '') return undefined;
  if (line.length > maxContextLine)
    return {
      value: value.slice(0, maxContextLine).toWellFormed(),
      why: 'not used: the line is too long to be source code',
    };
  if (family === 'javascript') {
    if (value.includes('{snip}')) return { value, why: 'not used: a piece of a longer line' };
    if (isUrl && (name === undefined || name.why !== undefined)) {
      return { value, why: 'not used: a line of a page without a function' };
    }
  }
  return { value };
}
