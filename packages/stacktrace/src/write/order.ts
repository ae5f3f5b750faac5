/** Which call of a stack stands first. */
export type StackOrder = 'newest' | 'oldest';

/** What a language prints first; `language` may be any platform. */
export const habitOf = (language: string | null): StackOrder => (language === 'python' ? 'oldest' : 'newest');
