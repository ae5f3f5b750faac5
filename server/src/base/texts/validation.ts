/** What is wrong with a value, after the name of its field: "Field password: must have at least 8 characters." */
export const invalid = {
  empty: 'must not be empty',
  required: 'is required',
  unreadable: 'is not valid',
  number: 'must be a number',
  email: 'must be an email address',
  slug: 'must have at most 50 lower-case letters, digits, - and _. It starts with a letter or digit and is not a number',
  atLeast: (count: number) => `must have at least ${count} characters`,
  atMost: (count: number) => `must have at most ${count} characters`,
  hex: (digits: number) => `must be ${digits} hexadecimal digits`,
} as const;
