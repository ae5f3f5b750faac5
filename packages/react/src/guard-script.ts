/** The guard's script for servers and bundlers that lay it beside their pages. Node only. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the script lies: one classic file that needs nothing else, for `<script src>` before every other script. */
export function guardPath(): string {
  return fileURLToPath(new URL('./guard.js', import.meta.url));
}

let text: string | undefined;

/** The script itself; serve it as `text/javascript` from the page's own origin. */
export function guardScript(): string {
  return (text ??= readFileSync(guardPath(), 'utf8'));
}
