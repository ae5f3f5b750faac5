/** What an operator must do for a version, of a changelog. */
export interface Note {
  readonly version: string;
  readonly lines: readonly string[];
}

/** Of all versions after one, the newest first; of the newest alone where that one is not known. */
export function upgradeNotes(changelog: string, after: string): Note[] {
  const sections = changelog.split(/^## /m).slice(1);
  const notes: Note[] = [];
  for (const section of sections) {
    const [version = ''] = section.split(/[\s(]/, 1);
    if (version === after) break;
    const [, part] = section.split(/^### Upgrade notes\n/m);
    const lines = part?.split(/^### /m)[0]?.trim().split('\n') ?? [];
    if (lines.length > 0) notes.push({ version, lines });
    if (after === '') break;
  }
  return notes;
}
