import { expect, test } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { placeOfError } from './place.ts';

const refused = (message: string): ApiError => new ApiError({ status: 400, code: 'INPUT_INVALID', message });
const unreadable = (parameter: string): ApiError =>
  new ApiError({
    status: 400,
    code: 'QUERY_INVALID',
    message: '“cuont” is not a field or function. It is new.',
    problems: [
      { code: 'invalid-key', reason: 'notField', values: { text: 'cuont' }, message: '', start: 0, end: 3, parameter },
      { code: 'invalid-key', reason: 'newer', values: {}, message: 'It is new.', start: 0, end: 3, parameter },
    ],
  });

test.each<[string, unknown, Record<string, string>]>([
  ['a setting', refused('channelIds: there is no channel 7'), { channels: 'There is no channel 7.' }],
  ['a condition', refused('field conditions.1.count: too small'), { 'conditions.1': 'Too small.' }],
  [
    'a threshold',
    refused('metric.critical: must be at least the warning threshold'),
    {
      critical: 'Must be at least the warning threshold.',
    },
  ],
  ['what is measured', unreadable('yAxis'), { aggregate: '“cuont” is not a field or function.' }],
  ['the search', unreadable('query'), { query: '“cuont” is not a field or function. It is new.' }],
  ['the whole', refused('the request body: is not valid'), {}],
  ['a prototype', refused('constructor: is not valid'), {}],
  ['anything else', new Error('name: x'), {}],
])('%s', (_, error, problems) => expect(placeOfError(error)).toEqual(problems));
