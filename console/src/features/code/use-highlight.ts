import { useEffect, useState } from 'react';
import type { Piece } from './tokens.ts';

type Highlight = (source: string, language: string) => Piece[][];

/** Languages whose grammar is here, or does not exist. */
const ready = new Set<string>();
let loaded: Highlight | undefined;

/** Fetches the highlighter, which comes with one grammar, and another grammar where that is asked for. */
export async function loadHighlighter(language = 'typescript'): Promise<void> {
  const [{ highlight }] = await Promise.all([
    import('./highlight.ts'),
    language !== 'typescript' && import('./more-languages.ts').then(({ addLanguage }) => addLanguage(language)),
  ]);
  loaded = highlight;
  ready.add('typescript').add(language);
}

/** Coloured lines; plain ones until the highlighter is there, with the same text, so that nothing moves. */
export function useHighlight(lines: readonly string[], language: string): Piece[][] {
  const [, arrived] = useState('');
  useEffect(() => {
    if (!language || ready.has(language)) return;
    let gone = false;
    loadHighlighter(language).then(
      () => !gone && arrived(language),
      // Plain code is still the code.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [language]);
  if (loaded && ready.has(language)) {
    const colour = loaded;
    // A line that the SDK has cut may end within a string, which would colour all lines after it.
    const coloured = lines.some((line) => line.includes('{snip}'))
      ? lines.flatMap((line) => colour(line, language))
      : colour(lines.join('\n'), language);
    if (coloured.length === lines.length) return coloured;
  }
  return lines.map((text) => [{ text, scope: '' }]);
}
