/** Two letters of a name or address, for where there is no room for it: `AL` of Ada Lovelace, `PA` of payments. */
export function initials(name: string): string {
  const words = (name.split('@', 1)[0] ?? '').split(/[\s._-]+/).filter(Boolean);
  const [first, last] = [words[0] ?? '', words.length > 1 ? (words.at(-1) ?? '') : ''];
  const [a = '?', b = ''] = [...first];
  return (a + ([...last][0] ?? b)).toUpperCase();
}
