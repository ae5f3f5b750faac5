/** What is recorded: per SDK program the scenarios, and per scenario the item types worth keeping. */
export interface Scenario {
  readonly name: string;
  /** Leading item types of the envelope that gives the file `<name>`; SDKs differ, so any of them. */
  readonly main: readonly string[];
  /** Leading item types of further envelopes, kept as `<name>-<type>`. */
  readonly also?: readonly string[];
}

const traced = ['transaction', 'span'];

export const nodeScenarios: readonly Scenario[] = [
  { name: 'handled-error', main: ['event'], also: ['session'] },
  { name: 'uncaught-error', main: ['event'], also: ['session'] },
  { name: 'unhandled-rejection', main: ['event'] },
  { name: 'message', main: ['event'] },
  { name: 'aggregate-error', main: ['event'] },
  { name: 'trace', main: traced, also: ['event'] },
  { name: 'http-server', main: traced, also: ['event', 'sessions'] },
  { name: 'logs', main: ['log'] },
  { name: 'metrics', main: ['trace_metric'] },
  { name: 'check-in', main: ['check_in'] },
  { name: 'feedback', main: ['feedback'] },
  { name: 'client-report', main: ['client_report'] },
];

export const browserScenarios: readonly Scenario[] = [
  { name: 'handled-error', main: ['event'], also: ['session'] },
  { name: 'uncaught-error', main: ['event'], also: ['session'] },
  { name: 'unhandled-rejection', main: ['event'] },
  { name: 'message', main: ['event'] },
  { name: 'pageload', main: traced },
  { name: 'logs', main: ['log'] },
  { name: 'feedback', main: ['feedback'] },
  { name: 'replay', main: ['replay_event'], also: ['event'] },
];

export const reactScenarios: readonly Scenario[] = [
  { name: 'error-boundary', main: ['event'] },
  { name: 'uncaught-render-error', main: ['event'] },
  { name: 'event-handler-error', main: ['event'] },
  { name: 'pageload', main: traced },
];
