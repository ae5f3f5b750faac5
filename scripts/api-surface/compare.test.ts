import { describe, expect, test } from 'vitest';
import { breaksBetween } from './compare.ts';
import { fromText } from './surface.ts';

const base = `
GET /things/ public
  query.kind? "large" "small"
  query.limit? integer(>=1;<=100)
  query.q? string(length<=200)
  200 array
  200[] @Thing
POST /things/
  body @ThingInput
  body.note? string
  201 @Thing
every call
  refusal @Problem
@Problem
  = object
  .code string
@Thing
  = object
  .color? string
  .kind "large" "small"
  .owner null object
  .owner.name string
  .parts array
  .parts[] @Thing
  .weight integer
@ThingInput
  = object
  .name string(length>=1;length<=50)
  .shape object
  .shape<of="circle">? object
  .shape<of="circle">.radius number
  .shape<of="line">? object
  .shape<of="line">.length number
  .size? number
  .tags? array(items<=10)
  .tags[] string
`;

/** What breaks when the first text is replaced by the second. */
function breaks(...changes: readonly (readonly [was: string, is: string])[]): string[] {
  let after = base;
  for (const [was, is] of changes) {
    expect(after).toContain(was);
    after = after.replace(was, is);
  }
  return breaksBetween(fromText(base), fromText(after));
}

test('nothing breaks what stays as it is', () => expect(breaks()).toEqual([]));

describe('breaks', () => {
  test.each<[string, string, string, string[]]>([
    ['a path or method that is gone', 'POST /things/', 'PUT /things/', ['POST /things/ is gone']],
    ['a caller who is needed', 'GET /things/ public', 'GET /things/', ['GET /things/ needs a caller']],
    ['a field of an answer', '  .color? string\n', '', ['@Thing.color is gone']],
    ['all of a part, said once', '  .owner null object\n  .owner.name string\n', '', ['@Thing.owner is gone']],
    ['a field of a refusal', '  .code string\n', '', ['@Problem.code is gone']],
    ['an answer that may be missing', '  .weight integer', '  .weight? integer', ['@Thing.weight may be missing']],
    ['an answer of another type', '.weight integer', '.weight number', ['@Thing.weight may be number']],
    ['an answer that may be null', '.weight integer', '.weight integer null', ['@Thing.weight may be null']],
    ['another status', '  201 @Thing', '  202 @Thing', ['POST /things/ 201 is gone']],
    ['another content type', '  201 @Thing', '  201(text/csv) string', ['POST /things/ 201 is gone']],
    ['a parameter', '  query.q? string(length<=200)\n', '', ['GET /things/ query.q is not read']],
    ['a field of a body', '  .size? number\n', '', ['@ThingInput.size is not read']],
    ['a variant', '  .shape<of="line">? object\n', '', ['@ThingInput.shape<of="line"> is not read']],
    [
      'a value of a request',
      '"large" "small"\n  query.limit',
      '"large"\n  query.limit',
      ['GET /things/ query.kind does not take "small"'],
    ],
    ['a parameter that must be there', 'query.q?', 'query.q', ['GET /things/ query.q must be there']],
    [
      'a new one that must be there',
      '  query.q?',
      '  query.org string\n  query.q?',
      ['GET /things/ query.org must be there'],
    ],
    ['a new field that must be there', '  .size?', '  .unit string\n  .size?', ['@ThingInput.unit must be there']],
    ['a type that is narrower', '.size? number', '.size? integer', ['@ThingInput.size does not take number']],
    ['a format', '.tags[] string', '.tags[] string:email', ['@ThingInput.tags[] does not take string']],
    ['a lower maximum', '<=100)', '<=50)', ['GET /things/ query.limit does not take integer(>=1;<=100)']],
    ['a higher minimum', 'length>=1', 'length>=2', ['@ThingInput.name does not take string(length>=1;length<=50)']],
    ['a new limit', '.size? number', '.size? number(<=9)', ['@ThingInput.size does not take number']],
    ['fewer items', 'items<=10', 'items<=5', ['@ThingInput.tags does not take array(items<=10)']],
  ])('%s', (_what, was, is, expected) => expect(breaks([was, is])).toEqual(expected));

  test('a call that goes over to a schema with less is named itself', () => {
    const other = '@Brief\n  = object\n  .kind "large" "small"\n  .weight integer\n@Thing\n';
    expect(breaks(['  201 @Thing', '  201 @Brief'], ['@Thing\n', other])).toContain('POST /things/ 201.color is gone');
  });
});

describe('does not break', () => {
  test.each<[string, string, string]>([
    ['a new call', 'every call\n', 'GET /more/\n  query.x string\n  200 string\nevery call\n'],
    ['a new field of an answer', '  .weight integer', '  .height integer\n  .weight integer'],
    ['an answer that is always there', '.color? string', '.color string'],
    ['a new value of an answer', '.kind "large" "small"', '.kind "large" "medium" "small"'],
    ['an answer that is narrower', '.owner null object', '.owner object'],
    ['a new field that may be left out', '  .size?', '  .unit? string\n  .size?'],
    ['what must be there within it', '  .size?', '  .unit? object\n  .unit.name string\n  .size?'],
    ['a new value of a request', '"large" "small"\n  query.limit', '"large" "medium" "small"\n  query.limit'],
    ['any text instead of some', '"large" "small"\n  query.limit', 'string\n  query.limit'],
    ['a field that need not be there', '  .name string', '  .name? string'],
    ['a limit that is wider, or gone', '(>=1;<=100)', '(<=1000)'],
    ['a type that is wider', '.tags[] string', '.tags[] integer string'],
    ['a new variant', '  .size?', '  .shape<of="dot">? object\n  .shape<of="dot">.x number\n  .size?'],
    ['a caller who is not needed', 'POST /things/', 'POST /things/ public'],
  ])('%s', (_what, was, is) => expect(breaks([was, is])).toEqual([]));

  test('another name of a schema, also of one that contains itself', () => {
    const after = base.replaceAll('@Thing\n', '@Item\n');
    expect(breaksBetween(fromText(base), fromText(after))).toEqual([]);
  });
});
