/** A word for a POSIX shell, quoted only where it has to be. */
export function shellWord(text: string): string {
  const clean = text.replaceAll('\0', '');
  return /^[\w@%+=:,./~-]+$/.test(clean) && !clean.startsWith('~')
    ? clean
    : `'${clean.replaceAll("'", String.raw`'\''`)}'`;
}
