/**
 * Passwords that are tried first: common words with what people add to them, walks over the keyboard, repetitions, digits
 * alone, and what everybody knows of the account. By rules, since a list has only what leaked before.
 */
import { commonPasswords as reasons } from '../../../base/texts/accounts.ts';
import { commonWords } from './common-words.ts';

export interface About {
  readonly email: string;
  /** Of the user, the organisation, the project: nothing that one would have to guess. */
  readonly names: readonly string[];
}

/** Digits of which nobody remembers more than a date. */
const shortNumber = /^\d{1,11}$/;
const repetition = /^(.{1,6}?)\1+$/s;
/** What people put around a word to satisfy a rule. */
const trimmings = /^[^\p{L}]{0,4}|[^\p{L}]{0,6}$/gu;

const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '!@#$%^&*()',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1s2d3f4g5h6j7k8l9',
  'qaywsxedc',
];
const walks = rows.flatMap((row) => [row, [...row].toReversed().join('')]);
const shortestStep = 3;

/** Whether all of it is steps along rows of the keyboard, the alphabet or the digits: `qwer1234`, `abc123`. */
function isWalk(text: string): boolean {
  let from = 0;
  while (from < text.length) {
    let length = text.length - from;
    while (length >= shortestStep && !walks.some((walk) => walk.includes(text.slice(from, from + length)))) length--;
    if (length < shortestStep) return false;
    from += length;
  }
  return true;
}

const lookalikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '8': 'b',
  '3': 'e',
  '6': 'g',
  '9': 'g',
  // i, l and their lookalikes stand for each other, so all become one.
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
};
const folded = (text: string): string => text.replace(/[@483691!|l0$57+]/g, (sign) => lookalikes[sign] ?? sign);

const words: ReadonlySet<string> = new Set(commonWords.map(folded));

function isWords(core: string): boolean {
  if (words.has(core)) return true;
  for (let cut = 3; cut <= core.length - 3; cut++) {
    if (words.has(core.slice(0, cut)) && words.has(core.slice(cut))) return true;
  }
  return false;
}

const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** What everybody knows: each name, and its parts. */
function known({ email, names }: About): Set<string> {
  const [local = '', domain = ''] = email.split('@');
  const whole = [email, local, domain, domain.split('.').at(-2) ?? '', ...names];
  const parts = whole.flatMap((name) => name.split(/[^\p{L}\p{N}]+/u));
  return new Set([...whole, ...parts].map(lettersAndDigits).filter((name) => name.length >= shortestStep));
}

/** Why it is one of the first that somebody tries; undefined when it is not. */
export function commonReason(password: string, about: About): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  if (shortNumber.test(text)) return reasons.shortNumber;
  if (repetition.test(text)) return reasons.repetition;
  if (isWalk(text)) return reasons.walk;
  const core = text.replace(trimmings, '');
  const own = known(about);
  const bare = lettersAndDigits(text);
  if (own.has(bare) || own.has(lettersAndDigits(core))) return reasons.own;
  if ([text, core].some((one) => isWords(folded(one)) || isWalk(one))) return reasons.word;
  return undefined;
}
