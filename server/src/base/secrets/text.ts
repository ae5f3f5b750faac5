/** Sealed texts in columns of text. */
import type { Box } from './box.ts';

const prefix = 'sealed:';

export const isSealedText = (text: string): boolean => text.startsWith(prefix);

/** Without what marks it, for where all is sealed. It opens as the whole does. */
export const bareText = (sealed: string): string => sealed.slice(prefix.length);

export interface TextBox {
  /** `place` says which value it is: the text does not open as another one. */
  seal(text: string, place: string): string;
  /** Undefined where it was sealed with another key, or elsewhere. */
  open(sealed: string, place: string): string | undefined;
}

export function textBox(box: Box): TextBox {
  return {
    seal: (text, place) =>
      prefix + Buffer.from(box.seal([Buffer.from(text)], Buffer.from(place))).toString('base64url'),
    open(sealed, place) {
      const text = isSealedText(sealed) ? bareText(sealed) : sealed;
      const bytes = box.open(Buffer.from(text, 'base64url'), Buffer.from(place));
      return typeof bytes === 'string' ? undefined : Buffer.from(bytes).toString();
    },
  };
}
