/** What pages of the console make themselves although `console/src/ui` has it. */

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Names of what `ui/` has: a class of one of them outside of it is a part made once more. */
const kitClasses = [
  'actions',
  'bar',
  'card',
  'check',
  'checks',
  'chip',
  'chips',
  'crumb',
  'crumbs',
  'empty',
  'facts',
  'faint',
  'field',
  'form',
  'hint',
  'item',
  'legend',
  'list',
  'menu',
  'muted',
  'none',
  'note',
  'number',
  'pair',
  'row',
  'rows',
  'search',
  'share',
  'sort',
  'sub',
  'tab',
  'table',
  'tabs',
  'toolbar',
  'tools',
] as const;

const isUi = ({ path }: SourceFile): boolean => path.startsWith('console/src/ui/');
const isPage = ({ path }: SourceFile): boolean => path.startsWith('console/src/pages/');
const isStyle = ({ path }: SourceFile): boolean => path.endsWith('.css');

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const linesOf = ({ text }: SourceFile): number => text.split('\n').length - 1;
const matches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Classes of the kit that a module defines, each once. */
export function kitClassesOf(css: string): string[] {
  const defined = new Set([...css.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name));
  return kitClasses.filter((name) => defined.has(name));
}

/** `x.isPending ? (` in JSX and `if (x.isError) return` before it, which `QueryView` is for. */
export function laddersIn(tsx: string): number {
  return (
    matches(tsx, /\b(?:isPending|isError|isLoading)\b[^?;{}]*\?\s*(?:\(\s*)?</g) +
    matches(tsx, /\bif \(!?(?:\w+\.)?(?:isPending|isError|isLoading)\b[^)]*\)\s*\{?\s*return\b/g)
  );
}

export function countKit(files: readonly SourceFile[]): Readonly<Record<string, number>> {
  const outside = files.filter((file) => !isUi(file));
  const styles = files.filter(isStyle);
  return {
    'classes of the kit outside ui': sum(outside.filter(isStyle).map(({ text }) => kitClassesOf(text).length)),
    'hand-written ladders of a query': sum(outside.filter((file) => !isStyle(file)).map(({ text }) => laddersIn(text))),
    'forms of bare state': sum(outside.filter((file) => !isStyle(file)).map(({ text }) => matches(text, /<form\b/g))),
    'lines of CSS': sum(styles.map(linesOf)),
    'lines of CSS of pages': sum(styles.filter(isPage).map(linesOf)),
  };
}

const kit = 'see console/src/ui/README.md for what is there';
/** What to do where a count has risen. */
export const cures: Readonly<Record<string, string>> = {
  'classes of the kit outside ui': kit,
  'hand-written ladders of a query': `a QueryView does that; ${kit}`,
  'forms of bare state': `Form and useForm do that; ${kit}`,
  'lines of CSS': kit,
  'lines of CSS of pages': kit,
};
