/** Sealed texts in columns of text. */
import type { Box } from './box.ts';

const prefix = 'sealed:';

export const isSealedText = (text: string): boolean => text.startsWith(prefix);

export interface TextBox {
  /** `place` says which value it is: the text does not open as another one. */
  seal(text: string, place: string): string;
  /** Undefined where it was sealed with another key, or elsewhere. */
  open(sealed: string, place: string): string | undefined;
}

export function textBox(box: Box): TextBox {
  return {
    seal: (text, place) => prefix + Buffer.from(box.seal(Buffer.from(text), Buffer.from(place))).toString('base64url'),
    open(sealed, place) {
      const bytes = box.open(Buffer.from(sealed.slice(prefix.length), 'base64url'), Buffer.from(place));
      return typeof bytes === 'string' ? undefined : Buffer.from(bytes).toString();
    },
  };
}
