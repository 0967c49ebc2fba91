/** A language model behind an OpenAI-compatible API: Ollama, llama.cpp, vLLM, LM Studio and many services. */
import * as v from 'valibot';

import { ask, jsonOf } from '#server/upstream/ask';

/** Answers one message; throws when there is no usable answer. */
export type LanguageModel = {
  readonly name: string;
  readonly answer: (instruction: string, text: string) => Promise<string>;
};

const usualTimeoutMs = 30_000;
const maxTokens = 700;
const temperature = 0.7;

const completion = v.object({
  choices: v.pipe(
    v.array(
      v.object({ message: v.object({ content: v.pipe(v.string(), v.trim(), v.nonEmpty()) }) }),
    ),
    v.nonEmpty(),
  ),
});

export function connectLanguageModel({
  url,
  apiKey,
  model,
  timeoutMs = usualTimeoutMs,
}: {
  /** Up to and including the version, without a slash at its end. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly timeoutMs?: number;
}): LanguageModel {
  return {
    name: model,
    answer: async (instruction, text) => {
      const reply = await ask({
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
          temperature,
          max_tokens: maxTokens,
          stream: false,
        }),
        timeoutMs,
      });
      const parsed = v.safeParse(completion, jsonOf(reply));
      const [first] = parsed.success ? parsed.output.choices : [];
      if (reply.status !== 200 || first === undefined) {
        throw new Error(`The language model answered with status ${reply.status} and no text`);
      }
      return first.message.content;
    },
  };
}
