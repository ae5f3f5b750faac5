/** What a tool is: its words, what it takes, and the calls of the API that answer it. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { z } from 'zod';
import { mcp as texts } from '../../base/texts/mcp.ts';
import { type Answer, present, presentRefusal } from './answer.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/api/0`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  readonly body?: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  /** Of JSON what it says; else the text. */
  readonly body: unknown;
  /** Cursor of the page after it. */
  readonly next?: string | undefined;
}

/** A call of the API as the caller of the tool: with their token, their scopes, their address. */
export type Ask = (request: ApiRequest) => Promise<ApiAnswer>;

export interface ToolContext {
  /** Slug of the organisation of the token. */
  readonly organization: string;
  /** Answers what is no refusal; a refusal is thrown. */
  readonly ask: Ask;
  /** Told of each change before it is made. */
  readonly noteChange: (tool: string, issue: string) => Promise<void>;
  /** Told of what went wrong here; returns the digest under which it is logged. */
  readonly noteFailure: (error: unknown) => string;
}

/** What the API refused. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly detail: unknown;

  constructor({ status, body }: ApiAnswer) {
    super(String(status));
    this.status = status;
    this.detail = body;
  }
}

export type ToolName = keyof typeof texts.tools;

interface Definition<Shape extends z.ZodRawShape> {
  readonly name: ToolName;
  readonly input: Shape;
  /** Changes something, which takes the scope `event:write`. */
  readonly writes?: boolean;
  /** Done twice it is as if it was done once. */
  readonly isIdempotent?: boolean;
  readonly run: (input: z.output<z.ZodObject<Shape>>, context: ToolContext) => Promise<Answer>;
}

export interface Tool {
  readonly name: ToolName;
  readonly writes: boolean;
  readonly register: (server: McpServer, context: ToolContext) => void;
}

export function tool<Shape extends z.ZodRawShape>(definition: Definition<Shape>): Tool {
  const { name, input, writes = false, isIdempotent = true, run } = definition;
  const { title, description } = texts.tools[name];
  const annotations = {
    title,
    readOnlyHint: !writes,
    destructiveHint: writes,
    idempotentHint: isIdempotent,
    openWorldHint: false,
  };
  const said = (text: string, isError?: true) => ({
    content: [{ type: 'text' as const, text }],
    ...(isError && { isError }),
  });
  const answer = async (given: z.output<z.ZodObject<Shape>>, context: ToolContext) => {
    try {
      return said(present(await run(given, refusing(context))));
    } catch (error) {
      if (error instanceof Refusal) return said(presentRefusal(error.status, detailOf(error)), true);
      return said(texts.failed(context.noteFailure(error)), true);
    }
  };
  return {
    name,
    writes,
    register: (server, context) => {
      // The library checks what comes against the schema; its type says so of no generic shape.
      const callback = (given: unknown) => answer(given as z.output<z.ZodObject<Shape>>, context);
      server.registerTool(name, { title, description, inputSchema: input as z.ZodRawShape, annotations }, callback);
    },
  };
}

const refusing = (context: ToolContext): ToolContext => ({
  ...context,
  async ask(request) {
    const answer = await context.ask(request);
    if (answer.status >= 400) throw new Refusal(answer);
    return answer;
  },
});

/** Of a problem, its sentence, and where in a search it lies. */
function detailOf({ detail }: Refusal): unknown {
  if (typeof detail !== 'object' || detail === null) return detail;
  const { detail: sentence, code, problems } = detail as Record<string, unknown>;
  return { detail: sentence, code, problems };
}
