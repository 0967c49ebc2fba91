/** A stand-in for an OpenAI-compatible speech server, as strict as the real ones. */
import * as v from 'valibot';

import { type RecordedCall } from './stand-in-server.ts';
import { startStandIn } from './stand-in.ts';

export const speechKey = 'sk-speech-key';
export const speechModel = 'tts-test';

const voices = ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'];

const requestBody = v.strictObject({
  model: v.string(),
  input: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4096)),
  voice: v.picklist(voices),
  response_format: v.picklist(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']),
});

/** The beginning of an MP3 file, followed by the text, so that a test can tell what was said. */
export const mp3 = (text: string) =>
  Buffer.concat([Buffer.from([0xff, 0xf3, 0x28, 0xc4]), Buffer.from(text)]);

const refuse = (status: number, code: string) => ({ status, body: { error: { code } } });

function answer({ method, path, headers, body }: RecordedCall) {
  if (method !== 'POST' || path !== '/v1/audio/speech') {
    return refuse(404, 'not_found');
  }
  if (headers.authorization !== `Bearer ${speechKey}`) {
    return refuse(401, 'invalid_api_key');
  }
  const parsed = v.safeParse(requestBody, body);
  if (!parsed.success) {
    return refuse(400, 'invalid_request_error');
  }
  if (parsed.output.model !== speechModel) {
    return refuse(404, 'model_not_found');
  }
  return { headers: { 'Content-Type': 'audio/mpeg' }, body: mp3(parsed.output.input) };
}

export function startSpeechServer() {
  return startStandIn(answer);
}
