/** A mapping that is in memory as a whole. For tests. */
import { type MappedClass, readClass, readClassLine } from './read.ts';
import type { RetraceContext } from './retrace.ts';

export function mappingContext(text: string): RetraceContext {
  const blocks = new Map<string, string>();
  let open = '';
  for (const line of text.split('\n')) {
    open = readClassLine(line)?.obfuscated ?? open;
    if (open !== '') blocks.set(open, `${blocks.get(open) ?? ''}${line}\n`);
  }
  const classes = new Map<string, MappedClass>();
  for (const [name, block] of blocks) {
    const read = readClass(block);
    if (read) classes.set(name, read);
  }
  const files = new Map([...classes.values()].map(({ name, sourceFile }) => [name, sourceFile]));
  return { classOf: (name) => classes.get(name), sourceFileOf: (name) => files.get(name) ?? '' };
}
