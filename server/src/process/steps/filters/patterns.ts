/** Patterns that people write: globs, in any case. A text takes its characters times those of all patterns at most. */
import { compileGlob } from '../group/rules/glob.ts';

/** What stands behind it is not looked at. */
const maxText = 1_000;

export type Test = (text: string) => boolean;

/** Whether a text is what one of them says; those that cannot be read say nothing. */
export function anyGlob(patterns: readonly string[]): Test {
  const globs = patterns.flatMap((pattern) => compileGlob(pattern, true) ?? []);
  return (text) => {
    if (text === '') return false;
    const read = text.length > maxText ? text.slice(0, maxText) : text;
    return globs.some((glob) => glob.matches(read));
  };
}
