/** Which frames are the project's own code, for languages whose SDKs say nothing of it, or what they cannot know. */
import type { Frame } from '../../event.ts';
import { frameFamily, type Language, languageOf } from '../../family.ts';
import { isInApp as isMarked, readWords as readAnyWord, type Said, type Word } from '../../in-app.ts';
import { isInApp as before } from '../v2/in-app.ts';
import { isGoLibrary, isJavaLibrary, isLibrary, isTrimmedGo } from './libraries.ts';
import { partOfRust } from './rust.ts';

export function readWords(words: readonly Word[], frames: readonly Frame[], platform: string): Said {
  const language = languageOf(platform);
  // Of Java, a list of what is excluded says nothing of the rest; a list of what is included does.
  if (language === 'java') return words.includes(true) ? 'everything' : 'nothing';
  const said = readAnyWord(words);
  if (language !== 'native' || said === 'nothing') return said;
  const hasOwn = frames.some((frame, place) => words[place] === true && partOfRust(frame) === 'program');
  return hasOwn ? said : 'libraries';
}

export function isInApp(frame: Frame, platform: string, said: Said): boolean {
  const family = frameFamily(frame, platform);
  if (family === 'javascript') return isMarked(frame, platform);
  if (family === 'native') return ownNative(frame, platform, said);
  if (family === 'java') return ownJava(frame, platform, said);
  const language = family === 'other' ? languageOf(frame.platform ?? platform) : family;
  // Where the build took the folders from paths, the SDK takes all code for Go's own.
  if (language === 'go' && isTrimmedGo(frame)) return !isGoLibrary(frame);
  if (language === 'other') return before(frame, platform, said);
  if (said !== 'nothing') return isMarked(frame, platform);
  return untold(frame, language, platform);
}

function ownNative(frame: Frame, platform: string, said: Said): boolean {
  const part = partOfRust(frame);
  if (part === 'standard' || (part === 'crate' && said !== 'libraries')) return false;
  return before(frame, platform, said);
}

function ownJava(frame: Frame, platform: string, said: Said): boolean {
  if (isJavaLibrary(frame)) return false;
  // Left out by name.
  return frame.in_app !== false && before(frame, platform, said);
}

/** Nothing was said of any frame of the stack: what is known as a library is out, the rest is the project's. */
function untold(frame: Frame, language: Language, platform: string): boolean {
  const path = frame.abs_path ?? frame.filename ?? '';
  if (path === '' && frame.module === undefined) return false;
  return !isLibrary(frame, language) && isMarked({ ...frame, in_app: true }, platform);
}
