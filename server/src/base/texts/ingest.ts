/** Why a request of an SDK is refused: after "The event is malformed" and the like. The envelope's stand in its package. */
export const eventBody = {
  unreadable: 'it is neither JSON nor base64 of JSON or of zlib data',
  notJson: 'it is not valid JSON',
  notObject: 'it is not a JSON object',
  noField: 'the field sentry_data is missing',
  moreThan: (max: number) => `more than ${max}`,
  clientGone: 'the client disconnected',
} as const;

export const securityReports = {
  tooDeep: 'it nests too deep',
  notJson: 'it is not valid JSON',
  noReport: 'expected a report, or a list of reports',
} as const;

/** Why a call over gRPC is refused before its message is looked at. */
export const grpc = {
  method: 'only Export of the trace, logs and metrics services is served',
  encoding: 'the message must be identity, gzip or deflate, as grpc-encoding says',
  prefix: 'the message does not begin with the prefix of gRPC',
  oneMessage: 'a call has one message',
  truncated: 'the message is cut off',
  late: (seconds: number) => `no message within ${seconds} seconds`,
  tooLarge: (bytes: number) => `the message is larger than ${bytes} bytes`,
} as const;

export const otlp = {
  notJsonObject: 'it is not a JSON object',
  notJson: (at: number) => `it is not JSON at byte ${at}`,
  tooDeep: (max: number) => `it nests deeper than ${max} levels`,
  tooManyValues: (max: number) => `it holds more than ${max} values`,
  noGroups: (name: string) => `it has no ${name}`,
  openBrackets: 'it is cut off: not all of its brackets are closed',
  openText: 'it is cut off: a text has no end',
  notProtobuf: (at: number) => `it is not protobuf at byte ${at}`,
  noField: (at: number) => `it is not protobuf at byte ${at}: field number 0`,
  notProtobufOrCut: (at: number) => `it is not protobuf at byte ${at}, or cut off`,
  cutOff: (at: number) => `it is cut off: the part at byte ${at} is longer than the rest`,
  otherKind: 'it is not protobuf, or not of this kind',
  damaged: (at: number) => `a record is damaged at byte ${at}`,
  partTooLong: 'a part of a record is longer than the record',
  tooManyParts: (max: number) => `a record has more than ${max} parts`,
  wireType: (field: string) => `the field ${field} of a record has the wrong wire type`,
  tooManyRecords: (max: number) => `a request can contain at most ${max} records. Send smaller batches`,
} as const;

export const userReports = {
  eventId: 'eventId must be an event ID of 32 hex digits',
  noComments: 'comments must not be empty',
  email: 'email must be an address such as ada@example.com, or empty',
} as const;

/** Of the dialog in a visitor's page, where the page does not set its own. */
export const reportDialog = {
  title: "It looks like we're having issues.",
  subtitle: 'Our team has been notified.',
  subtitle2: "If you'd like to help, tell us what happened below.",
  labelName: 'Name',
  labelEmail: 'Email',
  labelComments: 'What happened?',
  labelClose: 'Close',
  labelSubmit: 'Send the report',
  errorGeneric: 'The report could not be sent. Try again.',
  errorFormEntry: 'Some fields are not valid. Correct them and try again.',
  successMessage: 'Thank you, your report was sent.',
} as const;
