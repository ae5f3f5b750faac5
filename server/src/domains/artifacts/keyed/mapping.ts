/** A mapping of ProGuard or R8 as a keyed file: each class under its obfuscated name, its source file under its own. */
import { readClassLine } from '../../../process/steps/symbolicate/index.ts';
import type { KeyedText } from './write.ts';

export const classKey = (obfuscated: string): Buffer => Buffer.from(`c${obfuscated}`);
export const sourceFileKey = (original: string): Buffer => Buffer.from(`s${original}`);

const [newline, space, tab, hash] = [10, 32, 9, 35];
/** A line that is longer is none of a mapping. */
const longestLine = 64 * 1024;
const maxClasses = 500_000;
/** What R8 writes below the line of a class. */
const sourceFileMark = Buffer.from('"sourceFile"');

interface ScannedClass {
  readonly key: Buffer;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Whether the beginning of a file looks like a mapping. */
export function looksLikeMapping(head: Buffer): boolean {
  if (head.includes(0)) return false;
  for (const [start, end] of linesOf(head)) if (classAt(head, start, end)) return true;
  return false;
}

/** The classes in the order of their keys. Empty for what is no mapping, undefined where it has too many. */
export function mappingTexts(bytes: Buffer): { readonly classes: number; readonly texts: KeyedText[] } | undefined {
  const classes: ScannedClass[] = [];
  let open: { readonly key: Buffer; readonly name: string; readonly start: number } | undefined;
  for (const [start, end] of linesOf(bytes)) {
    const read = classAt(bytes, start, end);
    if (!read) continue;
    if (open) classes.push({ ...open, end: start });
    open = { key: classKey(read.obfuscated), name: read.name, start };
    if (classes.length > maxClasses) return undefined;
  }
  if (open) classes.push({ ...open, end: bytes.length });
  const texts: KeyedText[] = [];
  for (const { key, name, start, end } of classes) {
    const text = bytes.subarray(start, end);
    texts.push({ key, text });
    const file = sourceFileIn(text);
    if (file !== '') texts.push({ key: sourceFileKey(name), text: Buffer.from(file) });
  }
  return { classes: classes.length, texts: texts.toSorted((a, b) => Buffer.compare(a.key, b.key)) };
}

function classAt(bytes: Buffer, start: number, end: number): ReturnType<typeof readClassLine> {
  const first = bytes[start];
  if (end - start > longestLine || first === space || first === tab || first === hash) return undefined;
  return readClassLine(bytes.toString('utf8', start, end));
}

/** The lines directly below that of the class are about the class. */
function sourceFileIn(text: Buffer): string {
  let at = text.indexOf(newline) + 1;
  while (at > 0 && at < text.length) {
    const next = text.indexOf(newline, at);
    const end = next < 0 ? text.length : next;
    const line = text.subarray(at, Math.min(end, at + longestLine));
    const comment = line.toString('latin1', 0, 200).trimStart();
    if (!comment.startsWith('#')) return '';
    if (line.includes(sourceFileMark)) return fileNameOf(line.toString('utf8'));
    at = end + 1;
  }
  return '';
}

function fileNameOf(line: string): string {
  try {
    const { fileName } = JSON.parse(line.slice(line.indexOf('{'))) as { fileName?: unknown };
    return typeof fileName === 'string' ? fileName.slice(0, 1_000) : '';
  } catch {
    return '';
  }
}

function* linesOf(bytes: Buffer): Generator<[start: number, end: number]> {
  for (let at = 0; at < bytes.length;) {
    const next = bytes.indexOf(newline, at);
    const end = next < 0 ? bytes.length : next;
    yield [at, end];
    at = end + 1;
  }
}
