/** The section of bench/RESULTS.md that `npm run endurance` writes, as text. */

export interface EnduranceRow {
  /** Path of the tests from the root. */
  readonly file: string;
  readonly passed: number;
  readonly tests: number;
  readonly seconds: number;
  /** The numbers that the tests tell. */
  readonly said: string;
  /** What was tested, with its date. */
  readonly commit: string;
}

const heading = '## endurance\n';
const opening = `${heading}
The last results of \`npm run endurance\`, written by it; a file that did not run keeps its row.

| file | passed | took | numbers | commit |
| --- | --- | --- | --- | --- |
`;
const rowOfFile = /^\| `(?<file>[^`]+)` \|.*$/gm;

/** Of many files that say nothing by themselves; undefined without any. */
export function sumOf(file: string, rows: readonly EnduranceRow[]): EnduranceRow | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const add = (read: (row: EnduranceRow) => number): number => rows.reduce((sum, row) => sum + read(row), 0);
  const [passed, tests] = [add((row) => row.passed), add((row) => row.tests)];
  const failed = rows.filter((row) => row.passed < row.tests || row.tests === 0).map((row) => row.file);
  const said = `${rows.length} files, one after the other${failed.length ? `; not passed: ${failed.join(', ')}` : ''}`;
  return { file, passed, tests, seconds: add(({ seconds }) => seconds), said, commit: first.commit };
}

/** The text with these rows in place of those of the same files. */
export function withEndurance(text: string, rows: readonly EnduranceRow[]): string {
  const found = text.indexOf(heading);
  const start = found < 0 ? text.length : found;
  const next = text.indexOf('\n## ', start);
  const end = found < 0 || next < 0 ? text.length : next + 1;
  const lines = new Map(
    [...text.slice(start, end).matchAll(rowOfFile)].map((match) => [match.groups?.['file'] ?? '', match[0]]),
  );
  for (const { file, passed, tests, seconds, said, commit } of rows)
    lines.set(file, `| \`${file}\` | ${passed} of ${tests} | ${seconds} s | ${said} | ${commit} |`);
  const table = [...lines].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  const before = found < 0 ? `${text.trimEnd()}\n\n` : text.slice(0, start);
  const after = text.slice(end);
  return `${before}${opening}${table.join('\n')}\n${after ? `\n${after}` : ''}`;
}
