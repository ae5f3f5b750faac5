/** Colours of terminals in texts that were made for one. */

const [escape, bell] = ['\u001b', '\u0007'];
/** CSI, as colours are; OSC, as links are, to its end; what is cut within. */
const sequences = new RegExp(
  String.raw`${escape}(?:\[[0-9;:?]{0,64}[A-Za-z]?|\][^${bell}${escape}]{0,2048}(?:${bell}|${escape}\\)?|[()][A-Z0-9]|[=>78]|$)`,
  'g',
);

/** The text as it is read without a terminal. */
export const withoutColours = (text: string): string => (text.includes(escape) ? text.replace(sequences, '') : text);
