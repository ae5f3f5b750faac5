/** Check digits: what makes a number that of a card, an account or a person, where its form alone says too little. */

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Of cards, and of numbers of persons in some countries. */
export function isLuhn(text: string): boolean {
  const digits = digitsOf(text);
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}

/** Of a row of digits, however long. */
export function remainder(digits: string, by: number): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % by;
  return rest;
}

/** With or without spaces. */
export function isIban(text: string): boolean {
  const plain = text.replace(/\s/g, '');
  if (plain.length < 15 || plain.length > 34) return false;
  const digits = [...plain.slice(4), ...plain.slice(0, 4)].map((char) => Number.parseInt(char, 36).toString());
  return remainder(digits.join(''), 97) === 1;
}

/** Each digit by its weight. */
export const weighed = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index] ?? 0), 0);

/** How issuers begin their numbers, and how long those are; what the form of `cards` finds is not here. */
const issuers: readonly (readonly [first: RegExp, ...lengths: number[]])[] = [
  // Mastercard, JCB, Discover, UnionPay, Diners Club, Maestro.
  [/^(?:222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 16],
  [/^35(?:2[89]|[3-8])/, 16],
  [/^64[4-9]/, 16],
  [/^62/, 16, 17, 18, 19],
  [/^3(?:0[0-5]|[689])/, 14],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, 16, 18, 19],
];

/** One that only its check digit tells from any other number. */
export function isCard(text: string): boolean {
  const digits = digitsOf(text);
  return issuers.some(([first, ...lengths]) => lengths.includes(digits.length) && first.test(digits)) && isLuhn(digits);
}
