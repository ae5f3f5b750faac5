/** Name, text and place of an issue, from what its metadata knows. */
export function issueWords(issue: {
  readonly title: string;
  readonly culprit: string;
  readonly metadata: Readonly<Record<string, string>>;
}): { name: string; text: string; place: string } {
  const { title, type, value, filename, function: fn } = issue.metadata;
  const known = filename ? `${shortFile(filename)}${fn && fn !== '?' ? ` in ${fn}` : ''}` : '';
  return {
    // A performance problem is named by its title; its type is a word for programs.
    name: title || type || firstLine(issue.title),
    text: type ? firstLine(value ?? '') : '',
    place: issue.culprit || known,
  };
}

/** Drops origin and query of an address; keeps a path as it is. */
function shortFile(filename: string): string {
  return filename.replace(/^[a-z+.-]+:\/\/[^/]*\//i, '').replace(/[?#].*$/, '');
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0] ?? '';
}
