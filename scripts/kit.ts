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

const kit = 'see console/src/ui/README.md for what is there';

const isUi = ({ path }: SourceFile): boolean => path.startsWith('console/src/ui/');
const isPage = ({ path }: SourceFile): boolean => path.startsWith('console/src/pages/');

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

const popupRoles = /\brole="(?:alertdialog|combobox|dialog|listbox|menu|menuitem|option|tablist|tooltip)"/g;

/** What no page does, for `ui/` does it: a sentence for each that one does. */
export function remadeIn(files: readonly SourceFile[]): string[] {
  const found = files
    .filter((file) => !isUi(file))
    .flatMap(({ path, text }) => {
      if (path.endsWith('.css')) return kitClassesOf(text).map((name) => `${path} defines .${name}`);
      // The field of a search that has its completions from `ui/` says itself what it is.
      const roles = (text.match(popupRoles) ?? []).filter(
        (role) => !(role.includes('combobox') && /<Completion\b/.test(text)),
      );
      return [
        laddersIn(text) > 0 && `${path} draws loading and errors, which a QueryView does`,
        /<form\b/.test(text) && `${path} has a <form>, which Form and PlainForm are for`,
        /from '@base-ui\//.test(text) && `${path} imports Base UI`,
        ...roles.map((role) => `${path} makes a popup with ${role}`),
      ].filter((sentence) => sentence !== false);
    });
  return found.map((sentence) => `${sentence}; ${kit}`);
}

export function countKit(files: readonly SourceFile[]): Readonly<Record<string, number>> {
  const styles = files.filter(({ path }) => path.endsWith('.css'));
  return {
    'lines of CSS': sum(styles.map(linesOf)),
    'lines of CSS of pages': sum(styles.filter(isPage).map(linesOf)),
  };
}

/** What to do where a count has risen. */
export const cures: Readonly<Record<string, string>> = { 'lines of CSS': kit, 'lines of CSS of pages': kit };
