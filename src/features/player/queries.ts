/** A token for a video, and the address that it opens. */
import { queryOptions } from '@tanstack/react-query';

import { readVideoToken } from '#contract/endpoints/player';
import { ApiError, backendUrl, call } from '#lib/api';

import { playerTexts as texts } from './texts.ts';

export type Video = {
  readonly id: string;
  readonly token: string;
  readonly streamUrl: string;
};

/** `round` tells two wishes for the same video apart. Rejects with an `Error` whose message can be shown. */
export const videoQuery = ({ id, round }: { readonly id: string; readonly round: number }) =>
  queryOptions({
    queryKey: ['video', id, round],
    queryFn: ({ signal }) => readVideo(id, signal),
    retry: false,
    // A token is asked for when it is needed, and not because somebody comes back to the page.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

async function readVideo(id: string, signal: AbortSignal): Promise<Video> {
  try {
    const answer = await call(readVideoToken, { video_id: id }, signal);
    if (!answer.success || answer.token === undefined || answer.stream_url === undefined) {
      throw new Error(texts.noToken);
    }
    return { id, token: answer.token, streamUrl: addressOf(answer.stream_url) };
  } catch (error) {
    if (error instanceof ApiError) {
      const isRefusal = error.status > 299;
      throw new Error(isRefusal ? error.message : texts.tokenFailed, { cause: error });
    }
    throw error;
  }
}

/** A stream is a path on the backend; some backends name the whole address. */
function addressOf(streamUrl: string): string {
  return /^https?:\/\//.test(streamUrl) ? streamUrl : backendUrl + streamUrl;
}
