/** Changesets and CHANGELOG.md as text: data in, data out. */

/** In the order in which a section shows them. A paragraph of a changeset begins with one of them and a colon. */
const headings = ['Security', 'Fixed', 'Added', 'Changed', 'Upgrade notes'] as const;
type Heading = (typeof headings)[number];

const frontMatter = /^---\n[\s\S]*?\n---\n/;
const widest = 118;

/** What the paragraphs of a changeset say, by heading; one that begins with none is of what changed. */
function entriesOf(changeset: string): (readonly [Heading, string])[] {
  const paragraphs = changeset
    .replaceAll('\r\n', '\n')
    .replace(frontMatter, '')
    .split(/\n{2,}/);
  return paragraphs.flatMap((paragraph) => {
    const text = paragraph.replaceAll(/\s+/g, ' ').trim();
    if (text === '') return [];
    const heading = headings.find((name) => text.startsWith(`${name}: `));
    return [heading ? ([heading, text.slice(heading.length + 2)] as const) : (['Changed', text] as const)];
  });
}

function item(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && `  ${line} ${word}`.length > widest) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `- ${lines.join('\n  ')}`;
}

/** The section of a version: `date` as `2026-11-23`, `changesets` as their files are. */
export function sectionOf(version: string, date: string, changesets: readonly string[]): string {
  const entries = changesets.flatMap(entriesOf);
  const parts = headings.flatMap((heading) => {
    const items = entries.filter(([of]) => of === heading).map(([, text]) => item(text));
    return items.length ? [`### ${heading}\n\n${items.join('\n')}\n`] : [];
  });
  return [`## ${version} (${date})\n`, ...parts].join('\n');
}

/** The changelog with a section above those that it has. */
export function withSection(changelog: string, section: string): string {
  const newest = changelog.search(/^## /m);
  return newest < 0
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, newest)}${section}\n${changelog.slice(newest)}`;
}
