import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';
import { languageOf } from './language.ts';
import { addLanguage } from './more-languages.ts';

// A line of each language, with words that its grammar must colour.
const samples: readonly (readonly [file: string, line: string, keyword: string])[] = [
  ['shop/cart.py', 'raise OutOfStock(item) from error', 'raise'],
  ['internal/cart/cart.go', 'func (b *Basket) At(i int) Item { return b.items[i] }', 'func'],
  ['Cart.java', 'throw new OutOfStock("A-1", 7);', 'throw'],
  ['Cart.kt', 'fun order(text: String) = text.toInt()', 'fun'],
  ['src/cart.rs', 'pub fn at(&self, i: usize) -> &Item { &self.items[i] }', 'pub'],
  ['lib/cart.rb', 'def at(list, i) = list.fetch(i)', 'def'],
  ['app/Cart.php', 'public function order(string $text): int { return (int) $text; }', 'public'],
  ['Shop/Cart.cs', 'public async Task<int> Order() => await cart.Read();', 'public'],
  ['lib/shop/cart.ex', 'def order(text), do: String.to_integer(text)', 'def'],
  ['Cart.scala', 'override def order(text: String): Int = text.toInt', 'override'],
  ['Cart.swift', 'func order(_ text: String) throws -> Int { try read(text) }', 'func'],
  ['lib/cart.dart', 'final total = await cart.total();', 'await'],
  ['src/cart.cpp', 'for (const auto& item : items) total += item.price;', 'for'],
  ['src/cart.c', 'return items[i];', 'return'],
];

test.each(samples)('%s is coloured by its own grammar', async (file, line, keyword) => {
  const language = languageOf(file, null);
  await addLanguage(language);
  const [pieces = []] = highlight(line, language);
  expect(pieces.map(({ text }) => text).join('')).toBe(line);
  expect(pieces).toContainEqual({ text: keyword, scope: 'keyword' });
});

test('the language is that of the file, else of the platform; scripts need no second grammar', () => {
  expect(languageOf('app/page.tsx', null)).toBe('typescript');
  expect(languageOf('page.astro', 'javascript')).toBe('typescript');
  expect(languageOf('chunk.js?v=1', 'other')).toBe('typescript');
  expect(languageOf('SourceFile', 'java')).toBe('java');
  expect(languageOf('<string>', 'python')).toBe('python');
  expect(languageOf(null, null)).toBe('');
});

test.each(['constructor', 'html', '__proto__'])('a language called "%s" is plain', async (name) => {
  await addLanguage(name);
  expect(highlight('var a = 1', name)).toEqual([[{ text: 'var a = 1', scope: '' }]]);
});
