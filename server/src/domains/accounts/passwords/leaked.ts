/** The passwords that leaks have most often, in lower case, the most frequent first. Loaded when a password is set. */
import { dictionary } from '@zxcvbn-ts/language-common';

export const mostLeaked: readonly string[] = dictionary['passwords-common'];

export const isMostLeaked = (password: string): boolean => mostLeaked.includes(password.toLowerCase());
