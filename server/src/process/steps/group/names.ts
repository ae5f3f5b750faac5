/** Names of functions and classes without what compilers and builds put into them. */
import type { Family } from '../family.ts';

/** Java's generated classes count by what they were generated from. */
export function javaModule(module: string): string {
  if (!/[$\d_]/.test(module)) return module;
  return module
    .replace(/(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+/, '$1')
    .replace(
      /(\$\$(?:[A-Za-z]{1,40}ByCGLIB|EnhancerBy[A-Za-z]{1,40}|FastClassBy[A-Za-z]{1,40}|HibernateProxy|SpringCGLIB)\$\$)\w+/g,
      '$1<auto>',
    )
    .replace(/(_\$\$_(?:jvst|javassist))[\da-f_]{1,20}/i, '$1<auto>')
    .replace(/((?:fn|eval|reify))__\d+/g, '$1__<auto>');
}

/** The name as it is compared: after the last dot in JavaScript, without parameters in native code. */
export function shortName(raw: string, family: Family): string {
  switch (family) {
    case 'javascript': {
      const alias = raw.indexOf(' [as ');
      const name = alias < 0 ? raw : raw.slice(0, alias);
      return name.slice(name.lastIndexOf('.') + 1).trim();
    }
    case 'ruby':
      return raw.startsWith('block ') ? 'block' : raw.replace(/_{1,3}\d+_\d+$/, '');
    case 'php':
      return raw.replace(/^.{0,300}class@anonymous[^:]{0,400}::/, '');
    case 'native':
      return nativeName(raw);
    default:
      return raw;
  }
}

/** C++ and Rust names without parameters, template arguments, return type and hash. */
function nativeName(raw: string): string {
  let name = raw.replace(/::h[\da-f]{16}$/, '').replace(/(?: const)?(?: \[clone [^\]]{1,80}\])?$/, '');
  if (/^[-+]\[/.test(name)) return name;
  if (name.includes('(') && !name.includes('operator()')) {
    const open = name.startsWith('(anonymous') ? name.indexOf('(', 1) : name.search(/\((?!anonymous|anon)/);
    if (open > 0) name = name.slice(0, open);
  }
  return name
    .replace(/<[^<>]{0,400}>/g, '')
    .replace(/^(?:[\w:]+[*&]*\s)+(?=[\w:~]+$)/, '')
    .trim();
}
