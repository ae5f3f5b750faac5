/**
 * Numbers that states give to persons, by country: their form, and the check digits that most of them have. No part of
 * the built-in list, since one number of some ten passes a check digit by chance; rules name the countries.
 */
import { isLuhn, remainder, weighed } from '../check-digits.ts';
import type { Range } from './chunks.ts';

interface Identity {
  readonly form: RegExp;
  /** Of the letters and digits alone, letters large. */
  readonly isOne?: (number: string) => boolean;
}

/** Nothing of a longer word or number. */
const number = (form: string): RegExp => new RegExp(String.raw`(?<![\w.-])(?:${form})(?![\w-]|\.\d)`, 'gi');

const digits = (from: string, start: number, end?: number): string => from.slice(start, end);
const checkLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const nationalLetters = '0123456789ABCDEFHJKLMNPRSTUVWXY';

const verhoeffTable = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const verhoeffTurns = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

function isVerhoeff(text: string): boolean {
  let check = 0;
  for (let index = 0; index < text.length; index++) {
    const turned = Number(verhoeffTurns[index % 8]?.[Number(text[text.length - 1 - index])]);
    check = Number(verhoeffTable[check]?.[turned]);
  }
  return check === 0;
}

/** Of the tax number: digit by digit, modulo 11 and 10. */
function isGermanTax(text: string): boolean {
  let product = 10;
  for (const digit of text.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(text[10]);
}

function isBrazilian(text: string): boolean {
  if (/^(\d)\1*$/.test(text)) return false;
  const check = (count: number): number => {
    let sum = 0;
    for (let index = 0; index < count; index++) sum += Number(text[index]) * (count + 1 - index);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === Number(text[9]) && check(10) === Number(text[10]);
}

const italianOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isItalian(text: string): boolean {
  let sum = 0;
  for (let index = 0; index < 15; index++) {
    const char = text[index] ?? '';
    const value = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65;
    sum += index % 2 === 0 ? (italianOdd[value] ?? 0) : value;
  }
  return String.fromCharCode(65 + (sum % 26)) === text[15];
}

const identities = {
  au: {
    form: number(String.raw`\d{3} ?\d{3} ?\d{3}`),
    isOne: (text) => weighed(text, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
  },
  be: {
    form: number(String.raw`\d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}\.?\d{2}`),
    isOne: (text) =>
      [text.slice(0, 9), `2${text.slice(0, 9)}`].some((one) => 97 - remainder(one, 97) === Number(digits(text, 9))),
  },
  br: { form: number(String.raw`\d{3}\.?\d{3}\.?\d{3}-?\d{2}`), isOne: isBrazilian },
  ca: { form: number(String.raw`\d{3}[ -]?\d{3}[ -]?\d{3}`), isOne: (text) => !/^[08]/.test(text) && isLuhn(text) },
  cn: {
    form: number(String.raw`[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]`),
    isOne: (text) =>
      '10X98765432'[weighed(text, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === text[17],
  },
  de: { form: number(String.raw`[1-9]\d ?\d{3} ?\d{3} ?\d{3}`), isOne: isGermanTax },
  es: {
    form: number(String.raw`[XYZ\d]\d{7}-?[A-Z]`),
    isOne: (text) =>
      checkLetters[Number(text.slice(0, 8).replace(/^[XYZ]/, (first) => String('XYZ'.indexOf(first)))) % 23] ===
      text[8],
  },
  fi: {
    form: number(String.raw`(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{2}[-+A-FU-Y]\d{3}[\dA-Y]`),
    isOne: (text) => nationalLetters[Number(text.replace(/\D/g, '').slice(0, 9)) % 31] === text.at(-1),
  },
  fr: {
    form: number(String.raw`[1-4] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}`),
    isOne: (text) => {
      const plain = text.replace('2A', '19').replace('2B', '18');
      return 97 - remainder(plain.slice(0, 13), 97) === Number(plain.slice(13));
    },
  },
  gb: {
    form: number(String.raw`(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]`),
  },
  in: { form: number(String.raw`[2-9]\d{3} ?\d{4} ?\d{4}`), isOne: isVerhoeff },
  it: { form: number(String.raw`[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]`), isOne: isItalian },
  kr: {
    form: number(String.raw`\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}`),
    isOne: (text) => (11 - (weighed(text, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(text[12]),
  },
  nl: {
    form: number(String.raw`\d{9}|\d{3}\.\d{3}\.\d{3}|\d{4}\.\d{2}\.\d{3}`),
    isOne: (text) => Number(text) > 0 && weighed(text, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  },
  pl: {
    form: number(String.raw`\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])\d{5}`),
    isOne: (text) => weighed(text, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
  se: {
    form: number(String.raw`(?:19|20)?\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[-+]?\d{4}`),
    isOne: (text) => isLuhn(text.slice(-10)),
  },
  us: { form: number(String.raw`(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}`) },
} as const satisfies Readonly<Record<string, Identity>>;

export const countries = Object.keys(identities);

/** What `countries` give to persons. */
export function identityFinder(chosen: readonly string[]): (text: string) => Range[] {
  const wanted = chosen.flatMap((country): Identity[] => {
    const one = Object.hasOwn(identities, country) ? identities[country as keyof typeof identities] : undefined;
    return one ? [one] : [];
  });
  return (text) =>
    wanted.flatMap(({ form, isOne }) =>
      [...text.matchAll(form)].flatMap(({ 0: found, index }) =>
        !isOne || isOne(found.toUpperCase().replace(/[^\dA-Z]/g, ''))
          ? [{ start: index, end: index + found.length }]
          : [],
      ),
    );
}
