/** Of a literal: code, commands, examples to type. They are the same in every language and stand in no catalogue. */
export const verbatim = String.raw;
