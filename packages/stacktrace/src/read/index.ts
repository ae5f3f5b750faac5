/** Reads a stack's text in its language, or in whichever language it is. */
import type { StackLanguage, StackText } from '../types.ts';
import { readDotnet } from './dotnet.ts';
import { readElixir } from './elixir.ts';
import { readGo } from './go.ts';
import { readJava } from './java.ts';
import { readJavascript } from './javascript.ts';
import { readPhp } from './php.ts';
import { readPython } from './python.ts';
import { readRuby } from './ruby.ts';
import { readRust } from './rust.ts';

const readers: Readonly<Record<StackLanguage, (text: string) => StackText | undefined>> = {
  csharp: readDotnet,
  elixir: readElixir,
  go: readGo,
  java: readJava,
  javascript: readJavascript,
  php: readPhp,
  python: readPython,
  ruby: readRuby,
  rust: readRust,
};

/** Undefined where the text has no frame in that language. */
export function readStack(text: string, language: StackLanguage): StackText | undefined {
  return readers[language](text);
}

/** What a text of that language has at least one of; the ones that others could be taken for stand last. */
const marks: readonly (readonly [StackLanguage, readonly string[]])[] = [
  ['python', ['  File "']],
  ['go', ['.go:']],
  ['rust', ['panicked at ', 'stack backtrace:', 'Stack backtrace:']],
  ['elixir', ['.ex:', '.exs:', '.erl:']],
  ['php', ['#0 ']],
  ['ruby', [':in `', ":in '"]],
  ['java', ['at ']],
  ['csharp', ['   at ']],
  ['javascript', ['at ', '@']],
];

/** A text of which nobody says the language: that of the reader that finds the most frames. */
export function readAnyStack(text: string): StackText | undefined {
  let best: StackText | undefined;
  let most = 0;
  for (const [language, words] of marks) {
    if (!words.some((word) => text.includes(word))) continue;
    const read = readers[language](text);
    const count = read?.exceptions.reduce((sum, { frames }) => sum + frames.length, 0) ?? 0;
    if (read && count > most) [best, most] = [read, count];
  }
  return best;
}
