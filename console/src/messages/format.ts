/** What compiled messages are made with: numbers and plural forms in the language of the page. */

/** Of the words around them, which is not always the reader's own. */
export const locale = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';

const isRightToLeft = typeof document !== 'undefined' && document.documentElement.dir === 'rtl';

/** `60 ms` in one direction: among words that run from right to left it would read `ms 60`. */
export const isolated = (text: string): string => (isRightToLeft ? `\u2066${text}\u2069` : text);

const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const rules = new Intl.PluralRules(locale);

/** `1,204` */
export const number = (value: number): string => numbers.format(value);

/** `one` or `other`, and what else the language tells apart. */
export const form = (value: number): Intl.LDMLPluralRule => rules.select(value);
