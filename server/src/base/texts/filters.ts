/** What is wrong with the patterns of an inbound filter, and what to do. */
import { number } from './intl.ts';

export const filterProblems = {
  noPatterns: (id: string) => `patterns: the filter ${id} has none`,
  tooMany: (max: number) => `patterns: at most ${number(max)} per filter`,
  tooLong: (pattern: string, max: number) => `patterns: "${pattern}…" is longer than ${number(max)} characters`,
  noNetwork: (text: string) =>
    `patterns: "${text}" is no IP address and no network. Write 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32`,
  everything: (id: string) => `patterns: "*" drops everything that the filter ${id} checks. Write a narrower pattern`,
  tooManyBraces: (pattern: string) => `patterns: "${pattern}" has too many alternatives in braces. Split it`,
  tooLarge: (max: number) =>
    `patterns: together they are longer than ${number(max)} characters, with each alternative in braces counted. Use fewer`,
} as const;
