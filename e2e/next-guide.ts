/** What the guide for Next.js has people write. */
import { readFile } from 'node:fs/promises';

/** The error page that no example has, because the framework's own would not show then. */
export const globalError = 'app/global-error.tsx';

/** Code by the file that is named in the line above it. */
export async function guideBlocks(): Promise<Map<string, string>> {
  const guide = await readFile(new URL('../docs/guides/from-digest-to-cause/nextjs.md', import.meta.url), 'utf8');
  return new Map(
    [...guide.matchAll(/^`([^`\n]+)`[^\n]*\n\n```tsx?\n([^]*?)```$/gm)].map(([, file = '', code = '']) => [file, code]),
  );
}
