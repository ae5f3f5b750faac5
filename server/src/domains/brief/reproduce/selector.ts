/**
 * What SDKs in browsers write of an element (`body > main > form#checkout > button.primary[type="submit"]`) as a
 * selector of CSS. A part that begins with a capital is the name of a component, which stands in an attribute.
 */

const attributes = /\[([a-z][a-z-]{0,40})="([^"\]]{0,200})"\]/gi;
const element =
  /^([a-z][a-z0-9-]{0,60})(#[^.#[\]\s>]{1,120})?((?:\.[^[\]\s>]{0,400})?)((?:\[[a-z-]{1,41}="[^"\]]{0,200}"\]){0,8})$/;
const component = /^[A-Z][A-Za-z0-9_$.]{0,80}$/;
const plainName = /^-?[_a-zA-Z][\w-]*$/;

export interface Target {
  readonly selector: string;
  /** `button`, `input`; '' of a component. */
  readonly tag: string;
  /** `type` and `name` of a field. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Undefined of what is no such text. */
export function targetOf(text: string): Target | undefined {
  if (text.length > 1_000) return undefined;
  const parts = text.trim().split(' > ').map(partOf);
  if (!parts.length || parts.some((one) => one === undefined)) return undefined;
  const known = parts.filter((one) => one !== undefined);
  // An id says where it is; what stands before it says no more.
  const from = Math.max(
    0,
    known.findLastIndex(({ hasId }) => hasId),
  );
  const shown = known.slice(from).filter(({ tag }) => tag !== 'html' && tag !== 'body');
  const last = known.at(-1);
  if (!last || !shown.length) return undefined;
  return { selector: shown.map(({ selector }) => selector).join(' > '), tag: last.tag, attributes: last.attributes };
}

interface Part {
  readonly selector: string;
  readonly tag: string;
  readonly hasId: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

function partOf(text: string): Part | undefined {
  if (component.test(text)) {
    return { selector: `[data-sentry-component=${quoted(text)}]`, tag: '', hasId: false, attributes: {} };
  }
  const found = element.exec(text);
  if (!found) return undefined;
  const [, tag = '', id = '', classes = '', rest = ''] = found;
  const own = Object.fromEntries([...rest.matchAll(attributes)].map(([, name = '', value = '']) => [name, value]));
  const selector = [
    tag,
    id && `[id=${quoted(id.slice(1))}]`,
    ...plainClasses(classes).map((name) => `.${name}`),
    ...Object.entries(own).map(([name, value]) => `[${name}=${quoted(value)}]`),
  ].join('');
  return { selector, tag, hasId: id !== '', attributes: own };
}

/** A class may have points in it (`py-1.5`): what is no name by itself takes the name before it along. */
function plainClasses(text: string): readonly string[] {
  const names = text.split('.').slice(1);
  return names.filter(
    (name, index) => plainName.test(name) && (names[index + 1] === undefined || plainName.test(names[index + 1]!)),
  );
}

const quoted = (text: string): string => JSON.stringify(text);
