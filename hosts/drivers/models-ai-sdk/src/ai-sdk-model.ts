import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  type LanguageModel,
  LanguageModelError,
  type ModelAnswer,
  type ModelBlock,
  type ModelFacts,
  type ModelMessage,
  type ModelRequest,
} from '@pacioli/core/ports';
import {
  APICallError,
  generateText,
  jsonSchema,
  type ModelMessage as SdkMessage,
  type TextPart,
  type ToolCallPart,
  type ToolSet,
  tool,
} from 'ai';
import { AnswerTooLong, boundedFetch } from './bounded-fetch.ts';
import { usageOf } from './usage.ts';

/** A model of the endpoint, with the profile that it serves and its price. */
export type AiSdkModel = ModelFacts;

export interface AiSdkOptions {
  /** The name of the provider in messages. */
  readonly id: string;
  /** The address of the interface, such as `https://models.example.com/v1`. */
  readonly url: string;
  readonly apiKey?: string;
  readonly models: readonly AiSdkModel[];
  /** The most bytes of one response, by default 16,000,000. */
  readonly maxAnswerBytes?: number;
}

/** Calls that fail with a transient error are repeated twice, with a growing pause before each (ai-surface OP-70). */
const maxRetries = 2;
/** The time limit of a call with all of its attempts, so that a silent endpoint does not hold a run. */
const maxAnswerMs = 280_000;
/** Enough for the longest answer of a model with its reasoning. */
const standardAnswerBytes = 16_000_000;

/**
 * Language models of an endpoint that is compatible with the chat interface of OpenAI. Redirects are not followed, and
 * longer responses than the limit are not read.
 */
export function aiSdkLanguageModel({
  id,
  url,
  apiKey,
  models,
  maxAnswerBytes = standardAnswerBytes,
}: AiSdkOptions): LanguageModel {
  const provider = createOpenAICompatible({
    name: id,
    baseURL: url,
    ...(apiKey === undefined ? {} : { apiKey }),
    fetch: boundedFetch(maxAnswerBytes),
  });
  return {
    id,
    models: () => models,
    createMessage: async (request) => {
      request.signal.throwIfAborted();
      if (!models.some(({ name }) => name === request.model))
        throw new LanguageModelError(`${id} has no model ${request.model}.`, { isTransient: false });
      const abortSignal = AbortSignal.any([request.signal, AbortSignal.timeout(maxAnswerMs)]);
      try {
        const result = await generateText({
          model: provider(request.model),
          system: request.system,
          messages: request.messages.flatMap(sdkMessages),
          tools: sdkTools(request),
          maxOutputTokens: request.maxTokens,
          maxRetries,
          abortSignal,
          ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
          ...(request.traceparent === undefined ? {} : { headers: { traceparent: request.traceparent } }),
        });
        return answerOf(id, request, result);
      } catch (error) {
        request.signal.throwIfAborted();
        throw error instanceof LanguageModelError ? error : failureOf(id, error);
      }
    },
  };
}

function sdkTools({ tools }: ModelRequest): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  );
}

/** One or two messages of the library, which has the results of tools and the text of the user in separate ones. */
function sdkMessages({ role, content }: ModelMessage): SdkMessage[] {
  if (role === 'assistant') return [{ role, content: content.flatMap(assistantPart) }];
  const results = content.flatMap((block) =>
    block.type === 'tool_result'
      ? [
          {
            type: 'tool-result' as const,
            toolCallId: block.toolUseId,
            toolName: block.name,
            output: { type: block.isError ? ('error-text' as const) : ('text' as const), value: block.text },
          },
        ]
      : [],
  );
  const texts = content.flatMap((block) =>
    block.type === 'text' ? [{ type: 'text' as const, text: block.text }] : [],
  );
  return [
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
    ...(texts.length === 0 ? [] : [{ role: 'user' as const, content: texts }]),
  ];
}

function assistantPart(block: ModelBlock): (TextPart | ToolCallPart)[] {
  if (block.type === 'text') return [{ type: 'text', text: block.text }];
  if (block.type === 'tool_result') return [];
  return [{ type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input }];
}

type Generated = Pick<Awaited<ReturnType<typeof generateText>>, 'text' | 'toolCalls' | 'finishReason' | 'usage'>;

function answerOf(id: string, request: ModelRequest, generated: Generated): ModelAnswer {
  const { text, toolCalls, finishReason, usage } = generated;
  // An empty answer of a provider that refused would look like one that found nothing.
  if (finishReason === 'content-filter')
    throw new LanguageModelError(`${id} refused to answer.`, { isTransient: false });
  const content: ModelBlock[] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCalls.map((call) => ({
      type: 'tool_use' as const,
      id: call.toolCallId,
      name: call.toolName,
      input: call.input,
    })),
  ];
  return {
    content,
    stopReason: toolCalls.length > 0 ? 'tool_use' : finishReason === 'length' ? 'max_tokens' : 'end_turn',
    ...usageOf(request, content, usage),
    model: request.model,
  };
}

/** An error whose message has the status, and not the body of the response, which may repeat the request. */
function failureOf(id: string, error: unknown): LanguageModelError {
  const cause = lastError(error);
  if (APICallError.isInstance(cause)) {
    return new LanguageModelError(`${id} ${problemOf(cause)}.`, { isTransient: cause.isRetryable, cause });
  }
  return new LanguageModelError(`${id} did not answer.`, { isTransient: true, cause: error });
}

function problemOf({ statusCode, cause }: APICallError): string {
  if (cause instanceof AnswerTooLong) return cause.message;
  if (statusCode === undefined) return 'could not be reached';
  if (statusCode === 200) return 'sent an answer that could not be read';
  return `answered with status ${statusCode}`;
}

/** The last error if a call was repeated, else the error itself. */
function lastError(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'lastError' in error ? error.lastError : error;
}
