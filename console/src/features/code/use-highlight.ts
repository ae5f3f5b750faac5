import { useEffect, useState } from 'react';
import type { Piece } from './tokens.ts';

type Highlight = (source: string, language: string) => Piece[][];
let loaded: Highlight | undefined;
let loading: Promise<Highlight> | undefined;

/** Fetches the highlighter ahead of the first source block. */
export function preloadHighlighter(): Promise<Highlight> {
  loading ??= import('./highlight.ts').then((module) => (loaded = module.highlight));
  return loading;
}

/** Coloured lines; plain ones until the highlighter is there, with the same text, so that nothing moves. */
export function useHighlight(lines: readonly string[], language: string): Piece[][] {
  const [highlight, setHighlight] = useState<Highlight | undefined>(() => loaded);
  useEffect(() => {
    if (highlight || !language) return;
    let gone = false;
    preloadHighlighter().then(
      (found) => !gone && setHighlight(() => found),
      // Plain code is still the code.
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [highlight, language]);
  if (highlight && language) {
    const coloured = highlight(lines.join('\n'), language);
    if (coloured.length === lines.length) return coloured;
  }
  return lines.map((text) => [{ text, scope: '' }]);
}
