/** Queries as text: what is printed reads as what it was made of. */
import { bare, quoted } from './quotes.ts';
import { keyText, valueText } from './term-text.ts';
import type { Comparison, SearchItem, SearchTerm, SearchValue } from './types.ts';

/** The query that reads as these items. */
export const printSearch = (items: readonly SearchItem[]): string => items.map(printItem).join(' ');

function printItem(item: SearchItem): string {
  switch (item.kind) {
    case 'operator':
      return item.operator.toUpperCase();
    case 'group':
      return `(${printSearch(item.items)})`;
    default:
      return printTerm(item);
  }
}

function printTerm(term: SearchTerm): string {
  if (term.kind === 'text') return term.quoted ? quoted(term.text) : bare(term.text);
  const not = term.negated ? '!' : '';
  if (term.kind === 'has') return `${not}has:${valueText(term.name)}`;
  const name = term.key.scope === 'aggregate' ? term.name : keyText(term.name);
  return `${not}${name}:${printValue(term.value)}`;
}

const element = (text: string): string => (text === '' || /[\s()",[\]]/.test(text) ? quoted(text) : text);

const sign = (comparison: Comparison): string => (comparison === '=' ? '' : comparison);

function printValue(value: SearchValue): string {
  switch (value.type) {
    case 'text':
      return value.quoted ? quoted(value.text) : (/^!?=/.test(value.text) ? '=' : '') + bare(value.text);
    case 'list':
      return `[${value.values.map(element).join(', ')}]`;
    case 'numbers':
      return `[${value.values.map(numberText).join(', ')}]`;
    case 'number':
      return sign(value.comparison) + numberText(value.number);
    case 'version':
      return sign(value.comparison) + valueText(value.text);
    case 'duration':
    case 'size':
    case 'percentage':
      return sign(value.comparison) + numberText(value.amount) + value.unit;
    case 'age':
      return value.sign + value.amount + value.unit;
    case 'boolean':
      return String(value.value);
    case 'date':
      return dateText(value);
  }
}

/** Without an exponent. */
export function numberText(number: number): string {
  const text = String(number);
  if (!text.includes('e')) return text;
  return Number.isInteger(number) ? BigInt(number).toString() : number.toFixed(18).replace(/\.?0+$/, '');
}

function dateText({ comparison, fromMs, untilMs }: Extract<SearchValue, { type: 'date' }>): string {
  const iso = (ms: number): string => new Date(ms).toISOString();
  switch (comparison) {
    case '>':
      return `>${iso(fromMs - 1)}`;
    case '>=':
      return `>=${iso(fromMs)}`;
    case '<':
      return `<${iso(untilMs)}`;
    case '<=':
      return `<=${iso(untilMs - 1)}`;
    default: {
      // The text is as long as what it leaves open.
      const text = iso(fromMs);
      const lengthMs = untilMs - fromMs;
      const written =
        lengthMs === 86_400_000 ? text.slice(0, 10) : lengthMs === 60_000 ? `${text.slice(0, 16)}Z` : text;
      return (comparison ?? '') + written;
    }
  }
}
