export { AttributeList } from './attribute-list.ts';
export { clockShift, type ClockShift, parseMicros } from './clock.ts';
export { finishSpan, spanFault, type SpanFault } from './finish.ts';
export { attachSpans } from './attach-spans.ts';
export type { SpanContext, SpanInput, SpanLink, SpanMoment, SpanRemark, SpanSender } from './input.ts';
export { platformOfLanguage } from './platform.ts';
export { quoted } from './sender.ts';
export { selfTime } from './self-time.ts';
