/**
 * Texts that people read and that stand in the console's code, not in its catalogues (console/messages): between tags,
 * in attributes and properties that hold texts, and whatever else reads like words. There are none. What is no text in
 * any language is left out by where it stands: in `<code>` and its kin, in properties that hold code, in a `verbatim`
 * literal, and in modules of snippets (`*snippets.ts`), whose code people copy.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Attributes of elements and properties of objects whose texts are read, also when they are one word. */
const read =
  /^(?:label|title|heading|alt|hint|tip|tooltip|caption|description|detail|empty|what|noun|text|word|words|sentence|message|summary|name|short|aria-(?:label|description|roledescription|valuetext)|data-tip)$/;

/** What is for machines, whatever it looks like: markup, and what is written in the languages of rules and searches. */
const machine =
  /^(?:className|style|d|viewBox|transform|points|href|src|rel|to|type|role|key|id|allow|sizes|autoComplete|import|from|code|mode|query|rule|syntax)$/;

/** Attributes that hold a text or an example of what to type, and the names of inputs: texts only where they read so. */
const mixed = /^(?:placeholder|aria-placeholder|name)$/;

/** Elements that hold code. */
const codeElements = /^(?:code|kbd|pre|samp)$/;

/** Calls that take selectors. */
const selecting = /^(?:closest|matches|matchMedia|querySelector(?:All)?)$/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const isWord = (text: string): boolean => /\p{L}{2,}/u.test(text);
const areWords = (text: string): boolean => /[a-z]{2,}[,.;:…]? [a-z]{2,}/i.test(text);
/** `Resolve`, not `resolve`: what has one word and no capital is a name more often than a text. */
const isLabel = (text: string): boolean => /^\p{Lu}\p{Ll}+(?:$|[ …])/u.test(text);

/** Where a literal stands, as far as that tells whether it is read. */
type Place = 'code' | 'text' | 'machine';

export function literalsOf(file: string, source: string): { readonly at: number; readonly text: string }[] {
  const found: { at: number; text: string }[] = [];
  const take = (node: Node, text: string, place: Place): void => {
    const plain = text.replaceAll(/\s+/g, ' ').trim();
    if (place === 'machine' ? false : place === 'text' ? isWord(plain) : areWords(plain))
      found.push({ at: node.start, text: plain });
  };
  const visit = (value: unknown, place: Place): void => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each, place);
      return;
    }
    if (!isNode(value)) return;
    const node = value;
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ImportExpression':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
      case 'NewExpression':
      case 'ThrowStatement':
        // Errors that are thrown are read in logs; what people get to read of one is made where it is shown.
        if (node.type !== 'NewExpression' || nameOf(node['callee']).endsWith('Error')) return;
        break;
      case 'JSXText':
        take(node, String(node['value']), 'text');
        return;
      case 'JSXAttribute': {
        const name = nameOf(node['name']);
        const value = node['value'];
        const isText = mixed.test(name) ? readsAsText(value) : read.test(name);
        visit(value, machine.test(name) ? 'machine' : isText ? 'text' : 'code');
        return;
      }
      case 'TaggedTemplateExpression':
        if (nameOf(node['tag']) === 'verbatim') return;
        break;
      case 'JSXElement':
        visit(node['openingElement'], 'code');
        if (codeElements.test(nameOf((node['openingElement'] as Node)['name']))) return;
        for (const child of node['children'] as Node[])
          visit(child, child.type === 'JSXExpressionContainer' ? childPlace(child) : 'code');
        return;
      case 'Property':
      case 'PropertyDefinition': {
        const name = nameOf(node['key']);
        const inner = node['value'];
        const own = isNode(inner) && inner.type === 'Literal' && isLabel(String(inner['value'])) && read.test(name);
        visit(inner, machine.test(name) ? 'machine' : own ? 'text' : place === 'text' ? 'code' : place);
        return;
      }
      case 'CallExpression': {
        const name = nameOf(node['callee']);
        if (selecting.test(name)) return;
        visit(node['callee'], 'code');
        visit(
          node['arguments'],
          name === 'toast' || name === 'useTitle' || name === 'plural' ? 'text' : placeInside(place),
        );
        return;
      }
      case 'BinaryExpression':
        // What is compared is a value.
        visit([node['left'], node['right']], node['operator'] === '+' ? place : 'machine');
        return;
      case 'ConditionalExpression':
        visit(node['test'], 'code');
        visit([node['consequent'], node['alternate']], place);
        return;
      case 'MemberExpression':
        visit(node['object'], 'code');
        return;
      case 'Literal':
        if (typeof node['value'] === 'string') take(node, node['value'], place);
        return;
      case 'TemplateLiteral': {
        const texts = (node['quasis'] as { readonly value: { readonly cooked: string | null } }[]).map(
          ({ value: { cooked } }) => cooked ?? '',
        );
        take(node, texts.join(place === 'text' ? ' ' : '…'), place);
        visit(node['expressions'], 'code');
        return;
      }
      default:
    }
    for (const key in node) if (key !== 'type' && key !== 'start' && key !== 'end') visit(node[key], place);
  };
  visit(parseSync(file, source).program, 'code');
  return found;
}

/** An expression between tags shows what it comes to, unless that is an element. */
const childPlace = (child: Node): Place => {
  const expression = child['expression'];
  return isNode(expression) &&
    /^(?:Literal|TemplateLiteral|ConditionalExpression|LogicalExpression)$/.test(expression.type)
    ? 'text'
    : 'code';
};

/** `Acme` of an example; not `main`, nor what has no words. */
function readsAsText(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === 'JSXExpressionContainer') return readsAsText(value['expression']);
  return value.type === 'Literal' ? isLabel(String(value['value'])) : value.type !== 'TemplateLiteral';
}

const placeInside = (place: Place): Place => (place === 'text' ? 'code' : place);

function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'JSXNamespacedName') return `${nameOf(node['namespace'])}:${nameOf(node['name'])}`;
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  return String(node['name'] ?? node['value'] ?? '');
}

const root = join(import.meta.dirname, '..');
const source = 'console/src';

const catalogues = 'console/messages/en';

/** `teams.json, title` of messages whose key occurs in no module that imports their catalogue. */
function unusedMessages(): string[] {
  const texts = globSync(`${source}/**/*.{ts,tsx}`, { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const html = readFileSync(join(root, 'console/index.html'), 'utf8');
  return globSync('*.json', { cwd: join(root, catalogues) })
    .toSorted()
    .flatMap((file) => {
      const module = `messages/${file.replace('.json', '.ts')}'`;
      const users = [html, ...texts.filter((text) => text.includes(module))].join('\n');
      const messages = JSON.parse(readFileSync(join(root, catalogues, file), 'utf8')) as object;
      return Object.keys(messages).flatMap((key) =>
        new RegExp(`\\b${key}\\b`).test(users) ? [] : [`${file}, ${key}`],
      );
    });
}

if (import.meta.main) {
  let count = 0;
  for (const file of globSync('**/*.{ts,tsx}', { cwd: join(root, source) }).toSorted()) {
    if (/\.test\.tsx?$|\.d\.ts$|^messages\/|\/testing\/|snippets\.ts$/.test(file)) continue;
    const text = readFileSync(join(root, source, file), 'utf8');
    for (const { at, text: literal } of literalsOf(file, text)) {
      count++;
      console.error(`${source}/${file}:${text.slice(0, at).split('\n').length}: ${literal}`);
    }
  }
  if (count > 0) console.error(`\n${count} texts outside catalogues: they go to console/messages`);
  const unused = unusedMessages();
  for (const key of unused) console.error(`console/messages/en/${key} is used nowhere`);
  if (count > 0 || unused.length > 0) process.exitCode = 1;
}
