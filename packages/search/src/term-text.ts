/** One term as text. Small and by itself, because pages load it that only make filters of values. */
import { quoted } from './quotes.ts';

/** The term that finds exactly this value of a key, both quoted where they must be. */
export const termText = (key: string, value: string): string => `${keyText(key)}:${valueText(literal(value))}`;

/** As `termText`, of values that are patterns or amounts already. */
export const filterText = (key: string, value: string): string => `${keyText(key)}:${valueText(value)}`;

const bareKey =
  /^(?:tags\[[^\],\s]{1,200} {0,9}(?:, {0,9}(?:string|number|boolean) {0,9})?\]|flags\["(?:[^"\\]|\\.)+"\]|[A-Za-z0-9_.-]+)$/;

export const keyText = (key: string): string => (bareKey.test(key) ? key : quoted(key));

/** Operators and lists begin with these; a value that does is none where it is quoted. */
export const valueText = (text: string): string =>
  text === '' || /^[<>=![\uf00d]|[\s()"]/.test(text) ? quoted(text) : text;

/** The text with every star escaped, so that it stands for itself. */
export const literal = (text: string): string => text.replaceAll('*', '\\*');
