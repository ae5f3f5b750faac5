/** Why frames stayed minified, put together: one cause with its files instead of the same sentence on every frame. */
import type { Frame } from '../event/types.ts';
import { shellWord } from '../shell-quote.ts';
import * as m from '../../messages/source-maps.ts';
import { verbatim } from '../../ui/verbatim.ts';
import { unresolvedOf, type UnresolvedCode } from './mapped.ts';

export interface CauseFile {
  readonly url: string;
  readonly debugId: string;
  readonly detail: string;
  /** Line and column of its first frame, `1:20411`; empty without. */
  readonly position: string;
  readonly frames: number;
}

export interface Cause {
  readonly code: UnresolvedCode;
  /** Whether its files carry debug ids: they are looked up by these alone, and uploaded differently. */
  readonly byDebugId: boolean;
  /** Of obfuscated Java: a mapping is what is missing. */
  readonly isJava: boolean;
  readonly frames: number;
  readonly files: readonly CauseFile[];
}

/** Where and for what one uploads. */
export interface UploadPlace {
  readonly url: string;
  readonly org: string;
  readonly project: string;
  readonly release: string;
  readonly dist: string;
}

/** One cause per kind of trouble, that with most frames first. What has no position cannot be mended and is no cause. */
export function causesOf(frames: readonly Frame[]): Cause[] {
  const causes = new Map<
    string,
    { code: UnresolvedCode; byDebugId: boolean; isJava: boolean; files: Map<string, CauseFile> }
  >();
  for (const frame of frames) {
    const unresolved = unresolvedOf(frame);
    if (!unresolved || unresolved.code === 'no_position') continue;
    const { code, debugId, detail, isJava } = unresolved;
    const url = isJava ? mappingFile : unresolved.url;
    const byDebugId = debugId !== '';
    const key = `${code} ${byDebugId} ${isJava}`;
    const cause = causes.get(key) ?? { code, byDebugId, isJava, files: new Map<string, CauseFile>() };
    causes.set(key, cause);
    const file = `${url} ${debugId}`;
    const position = frame.lineNo === null ? '' : [frame.lineNo, frame.colNo ?? []].flat().join(':');
    const known = cause.files.get(file) ?? { url, debugId, detail, position, frames: 0 };
    cause.files.set(file, { ...known, frames: known.frames + 1 });
  }
  return [...causes.values()]
    .map(({ files, ...cause }) => ({
      ...cause,
      files: [...files.values()],
      frames: [...files.values()].reduce((sum, file) => sum + file.frames, 0),
    }))
    .toSorted((a, b) => b.frames - a.frames);
}

const mappingFile = verbatim`mapping.txt`;

/** What is wrong, and how to fix it, as two sentences. */
export function causeWords(cause: Cause, release: string): { readonly wrong: string; readonly mend: string } {
  const [first] = cause.files;
  const count = cause.files.length;
  const of = { count, name: fileName(first?.url ?? '') };
  const { wrong, mend } = m;
  switch (cause.code) {
    case 'no_artifact':
      if (cause.isJava)
        return { wrong: wrong.noProguardMapping({ debugId: first?.debugId ?? '' }), mend: mend.proguardMapping };
      if (cause.byDebugId)
        return {
          wrong: wrong.noArtifactByDebugId({ count, debugId: first?.debugId ?? '' }),
          mend: mend.byDebugId,
        };
      return release
        ? { wrong: wrong.noArtifactInRelease({ ...of, release }), mend: mend.byRelease({ count }) }
        : { wrong: wrong.noArtifactNoRelease(of), mend: mend.inject };
    case 'no_map':
      return { wrong: wrong.noMap(of), mend: mend.noMap };
    case 'map_invalid': {
      const detail = count === 1 ? endless(first?.detail ?? '') : '';
      return {
        wrong: detail ? wrong.mapInvalidBecause({ name: of.name, detail }) : wrong.mapInvalid(of),
        mend: mend.mapInvalid,
      };
    }
    case 'no_mapping':
      return {
        wrong:
          count === 1
            ? wrong.noMapping({ name: of.name, position: first?.position || m.thisPosition })
            : wrong.noMappings({ count }),
        mend: mend.noMapping,
      };
    case 'no_source':
      return { wrong: wrong.noSource(of), mend: mend.noSource };
    case 'no_position':
      return { wrong: wrong.noPosition, mend: '' };
  }
}

/** The command that fixes a cause; runs in the project whose build is deployed. */
export function uploadCommand(cause: Cause, place: UploadPlace): string {
  const cli = 'npx @sentry/cli';
  const where = `--org ${shellWord(place.org)} --project ${shellWord(place.project)}`;
  if (cause.isJava) {
    const uuid = `--uuid ${shellWord(cause.files[0]?.debugId ?? '')}`;
    return [
      verbatim`export SENTRY_URL=${shellWord(place.url)}`,
      [verbatim`${cli} proguard upload`, where, uuid, mappingFile].join(' '),
    ].join('\n');
  }
  const inject = !cause.byDebugId && !place.release;
  const byRelease = !cause.byDebugId && place.release;
  const options = byRelease
    ? [
        `--release ${shellWord(place.release)}`,
        ...(place.dist ? [`--dist ${shellWord(place.dist)}`] : []),
        `--url-prefix ${shellWord(urlPrefix(cause.files[0]?.url ?? ''))}`,
      ]
    : [];
  const upload = [verbatim`${cli} sourcemaps upload`, where, ...options, './dist'].join(' ');
  return [
    verbatim`export SENTRY_URL=${shellWord(place.url)}`,
    ...(inject ? [verbatim`${cli} sourcemaps inject ./dist`] : []),
    upload,
  ].join('\n');
}

/** The last part of an address, without query. */
export function fileName(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  return path.slice(path.lastIndexOf('/') + 1) || url || m.thisFile;
}

/** `~/assets`: any host, and the folder of the script. */
function urlPrefix(url: string): string {
  const path = /^[a-z][\w+.-]*:\/\/[^/]*(\/[^?#]*)/i.exec(url)?.[1] ?? '/';
  return `~${path.slice(0, path.lastIndexOf('/'))}/`;
}

function endless(sentence: string): string {
  return sentence.replace(/[.\s]+$/, '');
}
