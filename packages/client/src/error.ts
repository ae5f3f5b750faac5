/** What the server refuses: `application/problem+json` (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly title: string;
  /** What, why, and what to do. */
  readonly detail: string;
  /** For programs, such as `NOT_FOUND`. */
  readonly code: string;
  /** Of a failure of the server: find it in Culprit. */
  readonly digest?: string;
}

export class CulpritError extends Error {
  override readonly name = 'CulpritError';
  readonly problem: Problem;
  readonly response: Response;

  constructor(problem: Problem, response: Response) {
    super(problem.detail);
    this.problem = problem;
    this.response = response;
  }

  /** A proxy may have answered in the server's place, in any form. */
  static async of(response: Response): Promise<CulpritError> {
    const text = await response.text();
    return new CulpritError({ ...without(response), ...read(text) }, response);
  }
}

const without = ({ status, statusText, url }: Response): Problem => ({
  status,
  title: statusText || 'Error',
  detail: `${url} responded with ${status}${statusText && ` ${statusText}`}.`,
  code: '',
});

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'detail' in value && typeof value.detail === 'string';

function read(text: string): Partial<Problem> {
  try {
    const value: unknown = JSON.parse(text);
    return isProblem(value) ? value : {};
  } catch {
    return {};
  }
}
