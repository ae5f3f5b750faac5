/** What a version may be, and what it says: `package@1.2.3-rc.1+45`. */
import { CodedError } from '../errors.ts';

export interface ParsedVersion {
  /** '' when the version names none. */
  readonly package: string;
  readonly numbers: readonly number[];
  /** Empty for a version that is no pre-release. */
  readonly prerelease: readonly string[];
  readonly build: string;
}

const longest = 200;

/** The version as it is stored. Throws `INPUT_INVALID` for what events could not carry either. */
export function checkedVersion(given: string): string {
  const version = given.trim();
  if (version === '') throw new CodedError('INPUT_INVALID', ['version: must not be empty']);
  if (version.length > longest) {
    throw new CodedError('INPUT_INVALID', [`version: must have at most ${longest} characters`]);
  }
  if (/[/\\\r\n\t\f]/.test(version)) {
    throw new CodedError('INPUT_INVALID', ['version: must not contain slashes, line breaks or tabs']);
  }
  if (/^(?:\.{1,2}|latest)$/i.test(version)) {
    throw new CodedError('INPUT_INVALID', [`version: "${version}" is no name for a release`]);
  }
  return version;
}

const dotted = /^v?(\d{1,12})\.(\d{1,12})(?:\.(\d{1,12}))?(?:\.(\d{1,12}))?$/i;

/** Undefined for what is no version in the sense of semver, such as the hash of a commit. */
export function parseVersion(version: string): ParsedVersion | undefined {
  const at = version.lastIndexOf('@');
  const text = version.slice(at + 1);
  const [unbuilt = '', build = ''] = splitAt(text, text.indexOf('+'));
  const [core = '', pre = ''] = splitAt(unbuilt, unbuilt.indexOf('-'));
  const match = dotted.exec(core);
  const prerelease = pre === '' ? [] : pre.split('.');
  if (!match || !prerelease.every((part) => /^[0-9A-Za-z-]+$/.test(part))) return undefined;
  const numbers = match.slice(1).map((digits) => Number(digits ?? 0));
  return { package: version.slice(0, Math.max(0, at)), numbers, prerelease, build };
}

const splitAt = (text: string, at: number): [string, string] =>
  at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
