/**
 * English that is no English, made of the catalogues: accented, about a third longer, in brackets. What stands on a
 * page without its marks did not come from a catalogue. `en-XB` runs from right to left.
 */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';

export type PseudoLocale = 'en-XA' | 'en-XB';

export function pseudoLocaleOf(name: string | undefined): PseudoLocale | undefined {
  if (name === undefined || name === 'en-XA' || name === 'en-XB') return name;
  throw new Error(`there is no pseudo-locale ${name}: en-XA, en-XB`);
}

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = [...'àƀçđéƒĝĥîĵķļɱñóþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÓÞǪŔŠŢÛṼŴẊÝŽ'];

/** What is no word in any language: commands, keys. */
const verbatim: ReadonlySet<string> = new Set(['code', 'kbd']);

export function pseudo(message: readonly MessageFormatElement[], locale: PseudoLocale): MessageFormatElement[] {
  const mark = (value: string): MessageFormatElement => ({ type: TYPE.literal, value });
  return [mark('⟦'), ...message.map((each) => changed(each, locale)), mark('⟧')];
}

export const pseudoText = (text: string, locale: PseudoLocale): string => `⟦${words(text, locale)}⟧`;

function changed(node: MessageFormatElement, locale: PseudoLocale): MessageFormatElement {
  if (node.type === TYPE.literal) return { ...node, value: words(node.value, locale) };
  if (node.type === TYPE.tag && !verbatim.has(node.value))
    return { ...node, children: node.children.map((each) => changed(each, locale)) };
  if (node.type === TYPE.select || node.type === TYPE.plural) {
    const options = Object.entries(node.options).map(([key, option]) => [
      key,
      { ...option, value: option.value.map((each) => changed(each, locale)) },
    ]);
    return { ...node, options: Object.fromEntries(options) as typeof node.options };
  }
  return node;
}

/** Vowels twice: that is the third more. Places of elements stay, as `<when/>` does. */
function words(text: string, locale: PseudoLocale): string {
  return text
    .split(/(<[a-z]\w*\/>)/i)
    .map((piece, index) => {
      if (index % 2 === 1 || piece === '') return piece;
      const longer = piece.replaceAll(/[a-z]/gi, (letter) => {
        const mark = accented[plain.indexOf(letter)] ?? letter;
        return /[aeiou]/i.test(letter) ? mark + mark.toLowerCase() : mark;
      });
      return locale === 'en-XB' ? `\u202e${longer}\u202c` : longer;
    })
    .join('');
}
