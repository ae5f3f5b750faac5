/** What calls are named and where they are, as the people of each language write it. */
import type { Frame } from '../event/types.ts';
import { verbatim } from '../../ui/verbatim.ts';
import { frameFunction, type FrameName } from './frames.ts';

/** Languages whose SDKs send the class or package apart from the function, with what stands between the two. */
const joins: Readonly<Record<string, string>> = { java: '.', csharp: '.', go: '.', ruby: '#' };

/** `com.example.shop.` and `Cart.order`. */
export function frameName(frame: Frame, platform: string | null): FrameName {
  const language = frame.platform ?? platform ?? '';
  const join = joins[language];
  const { module } = frame;
  let name = frame.function ? frameFunction(frame) : nameless(frame, language);
  // Return types, as .NET's SDK has them, lead a name that is longer anyway.
  if (language === 'csharp') name = /(?:^|\s)([^\s(<]+(?:<[^(]*>)?\(.*)$/s.exec(name)?.[1] ?? name;
  if (!join || !module) return cut(name, scopeEnd(name));
  const scope = module.lastIndexOf(language === 'go' ? '/' : '.') + 1;
  if (language === 'go') return cut(module + join + name, scope);
  // Some say the class, or all of the module, in the function too.
  const known = [module, module.slice(scope)].find((part) => name.startsWith(part + join));
  return cut(module + (known === undefined ? join + name : name.slice(known.length)), scope);
}

/** Machine code without symbols, a gap between asynchronous calls of Dart, the body of a script of PHP. */
function nameless({ absPath, instructionAddr }: Frame, language: string): string {
  if (instructionAddr) return '<unknown>';
  if (absPath?.startsWith('<')) return absPath;
  return language === 'php' ? '{main}' : '<anonymous>';
}

const cut = (whole: string, at: number): FrameName => ({ scope: whole.slice(0, at), name: whole.slice(at) });

/** Of names that are whole: modules of Rust and C++ are written small, types are not; PHP's namespaces end before the class. */
function scopeEnd(name: string): number {
  const method = name.indexOf('::');
  if (method < 0) return name.lastIndexOf('\\') + 1;
  const namespaces = name.lastIndexOf('\\', method) + 1;
  return namespaces || (/^(?:[a-z_]\w*::)+(?![{<])/.exec(name)?.[0].length ?? 0);
}

/** Folders of this machine that lead to libraries, whose own paths begin with their name. */
const stores = /^.*\/(?:\.cargo\/registry\/src\/[^/]+|\.cargo\/git\/checkouts|rustc\/[0-9a-f]{9,}|pkg\/mod)\//;

/**
 * `app/page.tsx:42:13`, as short as the frame allows; for machine code without symbols its place in the image. Empty
 * where the name says all that is known.
 */
export function frameWhere(frame: Frame, platform: string | null): string {
  const language = frame.platform ?? platform ?? '';
  const { filename, absPath, module, instructionAddr, lineNo, colNo } = frame;
  if (frame.native) return verbatim`Native Method`;
  // SDKs of Rust and Dart send `mod.rs` and the like, which every crate has.
  const isBare = absPath && (language === 'native' || language === 'dart') && !filename?.includes('/');
  const file = (isBare ? absPath : (filename ?? absPath))?.replace(stores, '');
  if (!frame.function && file?.startsWith('<')) return '';
  if (file) return [file, lineNo, lineNo === null ? null : colNo].filter((part) => part !== null).join(':');
  // What .NET calls an address is a place in the method.
  if (module && (joins[language] || frame.function?.includes(module))) return '';
  if (instructionAddr) return addressIn(frame, instructionAddr);
  return module ?? (frame.function ? '' : '<unknown>');
}

/** `shop +0x3a9ec8`: that is the same in each run, unlike the address. */
function addressIn({ package: image, imageAddr }: Frame, address: string): string {
  if (!image) return address;
  const offset = Number(address) - Number(imageAddr ?? Number.NaN);
  return `${image.slice(Math.max(image.lastIndexOf('/'), image.lastIndexOf('\\')) + 1)} ${offset >= 0 ? `+0x${offset.toString(16)}` : address}`;
}
