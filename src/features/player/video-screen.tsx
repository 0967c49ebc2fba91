/** Plays a video by its ID: fetches a token for it, and opens its stream. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';

import { readVideoToken } from '#contract/endpoints/player';
import { ApiError, backendUrl, call, errorText } from '#lib/api';
import { titles } from '#lib/page-texts';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Page } from '#ui/page';
import { Spinner } from '#ui/spinner';

import { Player } from './player.tsx';
import { playerTexts as texts } from './texts.ts';

import styles from './player.module.css';

const firstId = '90223';
const shownTokenLength = 20;

type VideoRequest = {
  readonly id: string;
  /** Counts the presses on Load, so that the same video can be loaded again. */
  readonly round: number;
};

type Video = { readonly id: string; readonly token: string; readonly streamUrl: string };

/** Rejects with an `Error` whose message can be shown. */
const videoQuery = ({ id, round }: VideoRequest) =>
  queryOptions({
    queryKey: ['video', id, round],
    queryFn: ({ signal }) => readVideo(id, signal),
    retry: false,
    // A new token is fetched when the stream needs one, not when the window gets the focus.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });

async function readVideo(id: string, signal: AbortSignal): Promise<Video> {
  try {
    const { success, token, stream_url } = await call(readVideoToken, { video_id: id }, signal);
    if (!success || token === undefined || stream_url === undefined) {
      throw new Error(texts.noToken);
    }
    // Most backends return a path, some a whole URL.
    const streamUrl = /^https?:\/\//.test(stream_url) ? stream_url : backendUrl + stream_url;
    return { id, token, streamUrl };
  } catch (error) {
    if (error instanceof ApiError) {
      const isRefusal = error.status > 299;
      throw new Error(isRefusal ? texts.httpError(error.status) : texts.tokenFailed, {
        cause: error,
      });
    }
    throw error;
  }
}

export function VideoScreen() {
  const [typedId, setTypedId] = useState(firstId);
  const [request, setRequest] = useState<VideoRequest>({ id: firstId, round: 1 });
  const { data, error, isFetching, refetch } = useQuery(videoQuery(request));
  /** The round whose stream could not be played. */
  const [failedRound, setFailedRound] = useState(0);
  const hasFailed = failedRound === request.round;
  const isLoading = data === undefined && isFetching;
  const id = typedId.trim();

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (id !== '' && !isLoading) {
      setRequest({ id, round: request.round + 1 });
    }
  }

  return (
    <Page className={styles.screen}>
      <h1 tabIndex={-1}>{titles.video}</h1>
      <form onSubmit={submit} noValidate>
        <Field
          label={texts.field}
          placeholder={texts.placeholder}
          value={typedId}
          onChange={(event) => setTypedId(event.currentTarget.value)}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          trailing={
            <Button kind="primary" type="submit" disabled={id === '' || isLoading}>
              {texts.load}
            </Button>
          }
        />
      </form>
      {isLoading && (
        <div className={styles.loading}>
          <Spinner label={texts.loading} />
        </div>
      )}
      {data === undefined && error && !isFetching && (
        <Notice tone="error">
          <p>{error.message}</p>
          <p>{errorText(error.cause, '')}</p>
        </Notice>
      )}
      {hasFailed && <Notice tone="error">{texts.streamFailed}</Notice>}
      {data && !hasFailed && (
        <Player
          key={request.round}
          source={data.streamUrl}
          renew={async () => {
            const { data: renewed, isError } = await refetch();
            return isError ? undefined : renewed?.streamUrl;
          }}
          onFail={() => setFailedRound(request.round)}
        />
      )}
      {data && <Information video={data} />}
    </Page>
  );
}

/** Stands for a secret of any length. */
const veil = '••••••••';

/** What the server has answered. The token and the stream URL open the video for anyone, so they are hidden until asked for. */
function Information({ video: { id, token, streamUrl } }: { readonly video: Video }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Card title={texts.info}>
      <dl className={styles.facts}>
        <dt>{texts.videoId}</dt>
        <dd>{id}</dd>
        <dt>{texts.token}</dt>
        <dd>
          <code>{isShown ? `${token.slice(0, shownTokenLength)}...` : veil}</code>
        </dd>
        <dt>{texts.streamUrl}</dt>
        <dd>
          <code>{isShown ? streamUrl : hideSecrets(streamUrl, token)}</code>
        </dd>
      </dl>
      <Button kind="quiet" onClick={() => setIsShown(!isShown)}>
        {isShown ? texts.hideToken : texts.showToken}
      </Button>
    </Card>
  );
}

/** Hides the token, also where it is in the path, and every value of the query, which may open the stream, too. */
function hideSecrets(url: string, token: string): string {
  return url
    .replaceAll(/([?&][^=&#]*=)[^&#]*/g, `$1${veil}`)
    .replaceAll(token, veil)
    .replaceAll(encodeURIComponent(token), veil);
}
