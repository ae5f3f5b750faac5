/** What of one stack frame takes part in grouping, and why not the rest. Line and column never do. */
import type { Frame } from '../event.ts';
import { frameFamily, type Family } from '../family.ts';
import { ignored, unused } from '../../../base/texts/grouping.ts';
import type { Algorithm } from './algorithm.ts';
import { baseName, moduleFromPath } from './paths.ts';

export interface Part {
  readonly value: string;
  /** Absent for a part that counts. */
  readonly why?: string;
  /** True when a content hash was cut off. */
  readonly hashed?: boolean;
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
  /** There was a name, and a minifier's says nothing. */
  readonly lostName: boolean;
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

export function frameParts(frame: Frame, platform: string, algorithm: Algorithm): FrameParts {
  const family = frameFamily(frame, platform);
  const path = frame.abs_path ?? frame.filename ?? '';
  const isUrl = url.test(path) || (frame.filename !== undefined && frame.filename !== path && url.test(frame.filename));
  const mapped = frame.data?.sourcemap !== undefined;
  const module = modulePart(frame, family, path, mapped, algorithm);
  const filename = filePart(frame, family, path, isUrl, counts(module), algorithm);
  const name = functionPart(frame, family, algorithm);
  let functionName = name;
  let contextLine = contextPart(frame, family, isUrl, name);
  let minified = false;
  if (family === 'javascript') {
    if (mapped) {
      if (name && counts(name) && counts(contextLine)) functionName = { value: name.value, why: unused.mappedName };
    } else if (
      (isUrl || filename?.hashed === true || module?.hashed === true || algorithm.isBundle(path)) &&
      isShort(name)
    ) {
      minified = true;
      if (name && counts(name)) functionName = { value: name.value, why: unused.minifiedName };
      if (contextLine) contextLine = { value: contextLine.value, why: unused.minifiedLine };
    }
  }
  return {
    frame,
    module,
    filename,
    function: functionName,
    contextLine,
    inApp: frame.in_app === true,
    counts: counts(module) || counts(filename) || counts(functionName) || counts(contextLine),
    ignored: ignoredBecause(frame, family, path, name),
    minified,
    lostName: minified && name !== undefined && (algorithm.namelessIsMinified || counts(name)),
  };
}

function counts(part: Part | undefined): boolean {
  return part !== undefined && part.why === undefined;
}

/** At most two characters, or none at all. */
function isShort(name: Part | undefined): boolean {
  return name === undefined || name.why !== undefined || name.value.length <= 2;
}

function ignoredBecause(frame: Frame, family: Family, path: string, name: Part | undefined): string | undefined {
  if (family !== 'javascript') return undefined;
  if (name?.value === 'eval') return ignored.eval;
  if (noSource.test(path)) return ignored.browserCode;
  if (name && loopFunctions.has(name.value)) return ignored.eventLoop;
  if (frame.module !== undefined && noiseModule.test(frame.module)) return ignored.compilerHelper;
  if (noisePath.test(path)) return ignored.monitoring;
  return undefined;
}

function modulePart(
  frame: Frame,
  family: Family,
  path: string,
  mapped: boolean,
  { stableModule, isPageAddress, javaModule }: Algorithm,
): Part | undefined {
  const { module } = frame;
  if (module === undefined) {
    const made = family === 'javascript' && mapped ? moduleFromPath(path) : undefined;
    return made === undefined ? undefined : { value: made };
  }
  if (family === 'javascript') {
    if (isPageAddress(module, path)) {
      return { value: module, why: unused.addressOfPage };
    }
    const { name, hashed } = stableModule(module);
    return name === '' ? { value: module, why: unused.contentHash, hashed } : { value: name, hashed };
  }
  if (family !== 'java') return { value: module };
  if (module.includes('$$Lambda$')) return { value: module, why: unused.lambdaClass };
  return { value: javaModule(module) };
}

function filePart(
  frame: Frame,
  family: Family,
  path: string,
  isUrl: boolean,
  hasModule: boolean,
  { stableFileName }: Algorithm,
): Part | undefined {
  const { filename } = frame;
  if (filename === undefined) return undefined;
  const base = baseName(filename);
  const { name, hashed } = family === 'javascript' ? stableFileName(base) : { name: base.toLowerCase(), hashed: false };
  if (isUrl) return { value: name, why: unused.webAddress, hashed };
  if (noSource.test(filename) || noSource.test(path)) return { value: name, why: unused.noFile };
  if (name === '') return { value: base, why: unused.contentHash, hashed };
  if (hasModule) return { value: name, why: unused.moduleIsBetter, hashed };
  return { value: family === 'java' ? javaFile(name) : name, hashed };
}

/** Javassist numbers the files of the classes that it makes. */
function javaFile(name: string): string {
  return name.replace(/(_\$\$_(?:jvst|javassist))[\da-f_]+/i, '$1<auto>');
}

function functionPart(frame: Frame, family: Family, { shortName }: Algorithm): Part | undefined {
  const raw = family === 'csharp' ? (frame.raw_function ?? frame.function) : (frame.function ?? frame.symbol);
  if (raw === undefined || raw === '') return undefined;
  const name = shortName(raw, family);
  if (name === '' || noName.test(name)) return { value: name, why: unused.noName };
  if (family === 'php' && name.startsWith('[Anonymous')) return { value: name, why: unused.noName };
  if (family === 'java' && name.startsWith('lambda$')) return { value: name, why: unused.generatedName };
  return { value: name };
}

function contextPart(frame: Frame, family: Family, isUrl: boolean, name: Part | undefined): Part | undefined {
  const line = frame.context_line;
  if (line === undefined || !withContext.has(family)) return undefined;
  const trimmed = line.trim();
  const value = /\s\s|[\t\r\n]/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
  if (value === '') return undefined;
  if (line.length > maxContextLine)
    return {
      value: value.slice(0, maxContextLine).toWellFormed(),
      why: unused.longLine,
    };
  if (family === 'javascript') {
    if (value.includes('{snip}')) return { value, why: unused.pieceOfLine };
    if (isUrl && (name === undefined || name.why !== undefined)) {
      return { value, why: unused.noFunctionOfPage };
    }
  }
  return { value };
}
