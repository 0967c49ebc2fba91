/** A language model behind an OpenAI-compatible API: Ollama, llama.cpp, vLLM, LM Studio and many services. */
import * as v from 'valibot';

import { type FetchReply, fetchReply, readJson } from '#server/upstream/fetch-json';

export type LanguageModel = {
  readonly name: string;
  /** Returns the reply to one message. Throws when there is no usable reply. */
  readonly complete: (instruction: string, text: string) => Promise<string>;
};

const defaultTimeoutMs = 30_000;
const temperature = 0.7;
/** Enough for a prompt; the second is for models that think before they answer. */
const budgets = { short: 700, long: 6000 } as const;
/** The first, and one for each thing that an API may refuse. */
const maxAttempts = 4;

const completion = v.object({
  choices: v.pipe(
    v.array(
      v.object({
        message: v.object({ content: v.optional(v.nullable(v.string())) }),
        finish_reason: v.optional(v.nullable(v.string())),
      }),
    ),
    v.nonEmpty(),
  ),
});

const refusal = v.object({
  error: v.object({
    message: v.optional(v.nullable(v.string()), ''),
    param: v.optional(v.nullable(v.string())),
  }),
});

/** What the API takes. The first form is the oldest, which every server knows. */
type RequestForm = {
  readonly limit: 'max_tokens' | 'max_completion_tokens';
  readonly budget: keyof typeof budgets;
  readonly hasTemperature: boolean;
};

export function connectLanguageModel({
  url,
  apiKey,
  model,
  timeoutMs = defaultTimeoutMs,
}: {
  /** Including the version, such as `http://localhost:11434/v1`; without a slash at its end. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly timeoutMs?: number;
}): LanguageModel {
  // Kept for as long as the process runs, so that later requests need one attempt.
  let form: RequestForm = { limit: 'max_tokens', budget: 'short', hasTemperature: true };

  function send(instruction: string, text: string, { limit, budget, hasTemperature }: RequestForm) {
    return fetchReply({
      service: 'language-model',
      url: `${url}/chat/completions`,
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: instruction },
          { role: 'user', content: text },
        ],
        ...(hasTemperature ? { temperature } : {}),
        [limit]: budgets[budget],
        stream: false,
      }),
      timeoutMs,
    });
  }

  async function attempt(instruction: string, text: string, attempts: number): Promise<string> {
    const used = form;
    const reply = await send(instruction, text, used);
    const content = readContent(reply, used);
    if (content !== undefined) {
      return content;
    }
    const other = findOtherForm(reply, used);
    if (other === undefined || attempts <= 1) {
      throw new Error(`The language model replied with status ${reply.status} and no text`);
    }
    form = other;
    return attempt(instruction, text, attempts - 1);
  }

  return {
    name: model,
    complete: (instruction, text) => attempt(instruction, text, maxAttempts),
  };
}

function readChoice(reply: FetchReply) {
  const parsed = v.safeParse(completion, readJson(reply));
  return reply.status === 200 && parsed.success ? parsed.output.choices[0] : undefined;
}

/** Whether the answer was cut off at the limit. With the short one, thoughts may have taken most of it. */
function isCutOff(reply: FetchReply, { budget }: RequestForm): boolean {
  return budget === 'short' && readChoice(reply)?.finish_reason === 'length';
}

/** Undefined when there is no usable text. */
function readContent(reply: FetchReply, used: RequestForm): string | undefined {
  const content = readChoice(reply)?.message.content?.trim() ?? '';
  return content === '' || isCutOff(reply, used) ? undefined : content;
}

/**
 * What to send instead, after a reply without a text: newer models refuse `max_tokens` and every
 * temperature but their own, and models that think may use up a small budget.
 */
function findOtherForm(reply: FetchReply, used: RequestForm): RequestForm | undefined {
  if (isCutOff(reply, used)) {
    return { ...used, budget: 'long' };
  }
  const parsed = v.safeParse(refusal, readJson(reply));
  if (reply.status !== 400 || !parsed.success) {
    return undefined;
  }
  const { param, message } = parsed.output.error;
  const refused = `${param ?? ''} ${message ?? ''}`;
  if (used.limit === 'max_tokens' && /\bmax_tokens\b/.test(refused)) {
    return { ...used, limit: 'max_completion_tokens', budget: 'long' };
  }
  return used.hasTemperature && /\btemperature\b/.test(refused)
    ? { ...used, hasTemperature: false }
    : undefined;
}
