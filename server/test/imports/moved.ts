/** What an import from Bugsink must have brought. */
import { expect } from 'vitest';
import { culprit, type Server } from '../harness.ts';
import type { Bugsink } from './bugsink.ts';
import { comparable, differences } from './fields.ts';

export interface Outcome {
  readonly state: string;
  readonly detail: string;
  readonly report: {
    readonly kinds: Readonly<Record<string, { readonly made: number; readonly known: number }>>;
    readonly gaps: readonly {
      readonly kind: string;
      readonly field: string;
      readonly reason: string;
      readonly count: number;
    }[];
  };
}

/** Runs the command beside the running server. */
export async function importInto(
  server: Server,
  words: readonly string[],
  token: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stderr: string; outcome: Outcome | undefined }> {
  const given = words.includes('--token-file') ? [] : ['--token-stdin'];
  const { code, stdout, stderr } = await culprit(
    ['import', ...words, ...given, '--allow-private', '--json'],
    { CULPRIT_DATA_DIR: server.dataDir, ...environment },
    token,
  );
  return { code, stderr, outcome: stdout.startsWith('{') ? (JSON.parse(stdout) as Outcome) : undefined };
}

/** Every event that came, beside the one that was sent; those of more than 90 days ago do not come. */
export async function expectSameEvents(server: Server, bugsink: Bugsink): Promise<number> {
  const sent = await bugsink.events();
  let compared = 0;
  for (const [id, event] of sent) {
    const isOld = Number(event.timestamp) * 1000 < Date.now() - 90 * 86_400_000;
    const path = `/projects/acme/web-shop/events/${id}/json/`;
    if (isOld) {
      await expect(server.api(path)).rejects.toThrow('404');
      continue;
    }
    const stored = await server.api<Record<string, unknown>>(path);
    expect(differences(comparable(event), comparable(stored)), id).toEqual([]);
    compared += 1;
  }
  return compared;
}
