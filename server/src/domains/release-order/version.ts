/** What a version may be, what it says, and what people call it: `package@1.2.3-rc.1+45`. */
import { CodedError } from '../../base/errors.ts';
import { invalid, ofField } from '../../base/texts/validation.ts';

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
export function checkedVersion(text: string): string {
  const version = text.trim();
  if (version === '') throw new CodedError('INPUT_INVALID', [ofField('version', invalid.empty)]);
  if (version.length > longest) {
    throw new CodedError('INPUT_INVALID', [ofField('version', invalid.atMost(longest))]);
  }
  if (/[/\\\r\n\t\f]/.test(version)) {
    throw new CodedError('INPUT_INVALID', [ofField('version', invalid.slashes)]);
  }
  if (/^(?:\.{1,2}|latest)$/i.test(version)) {
    throw new CodedError('INPUT_INVALID', [ofField('version', invalid.releaseName(version))]);
  }
  return version;
}

const dotted = /^v?(\d{1,12})\.(\d{1,12})(?:\.(\d{1,12}))?(?:\.(\d{1,12}))?$/i;

/** Of `web@1.2.3` and of `web@4f2c1` it is `web`; '' where the version names none. */
export const packageOf = (version: string): string => version.slice(0, Math.max(0, version.lastIndexOf('@')));

/** `web@1.2.3+abc` is shown as `1.2.3+abc`: without the package, long hashes cut as Sentry does. */
export function shortVersion(version: string): string {
  const bare = version.slice(version.lastIndexOf('@') + 1) || version;
  return /^[0-9a-f]{40}$/.test(bare) ? bare.slice(0, 12) : bare;
}

/** The short version, with the package where another of those around it is called the same. */
export function releaseName(version: string, among: readonly string[]): string {
  const short = shortVersion(version);
  const isShared = among.some((other) => other !== version && shortVersion(other) === short);
  return isShared && packageOf(version) !== '' ? `${packageOf(version)}@${short}` : short;
}

/** Undefined for what is no version in the sense of semver, such as the hash of a commit. */
export function parseVersion(version: string): ParsedVersion | undefined {
  const text = version.slice(version.lastIndexOf('@') + 1);
  const [unbuilt = '', build = ''] = splitAt(text, text.indexOf('+'));
  const [core = '', pre = ''] = splitAt(unbuilt, unbuilt.indexOf('-'));
  const match = dotted.exec(core);
  const prerelease = pre === '' ? [] : pre.split('.');
  if (!match || !prerelease.every((part) => /^[0-9A-Za-z-]+$/.test(part))) return undefined;
  const numbers = match.slice(1).map((digits) => Number(digits ?? 0));
  return { package: packageOf(version), numbers, prerelease, build };
}

const splitAt = (text: string, at: number): [string, string] =>
  at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
