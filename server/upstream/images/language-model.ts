/** A language model behind an OpenAI-compatible API: Ollama, llama.cpp, vLLM, LM Studio and many services. */
import * as v from 'valibot';

import { fetchReply, readJson } from '#server/upstream/fetch-json';

export type LanguageModel = {
  readonly name: string;
  /** Returns the reply to one message. Throws when there is no usable reply. */
  readonly complete: (instruction: string, text: string) => Promise<string>;
};

const defaultTimeoutMs = 30_000;
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
  timeoutMs = defaultTimeoutMs,
}: {
  /** Including the version, such as `http://localhost:11434/v1`; without a slash at its end. */
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly timeoutMs?: number;
}): LanguageModel {
  return {
    name: model,
    complete: async (instruction, text) => {
      const reply = await fetchReply({
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
      const parsed = v.safeParse(completion, readJson(reply));
      const [first] = parsed.success ? parsed.output.choices : [];
      if (reply.status !== 200 || first === undefined) {
        throw new Error(`The language model replied with status ${reply.status} and no text`);
      }
      return first.message.content;
    },
  };
}
