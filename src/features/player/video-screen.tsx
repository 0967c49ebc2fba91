/** Plays a video by its ID: gets a token for it, and opens its stream. */
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';

import { errorText } from '#lib/api';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { Player } from './player.tsx';
import { type Video, videoQuery } from './queries.ts';
import { playerTexts as texts } from './texts.ts';

import styles from './video.module.css';

const firstId = '90223';
const shownOfToken = 20;

export function VideoScreen() {
  const [typed, setTyped] = useState(firstId);
  const [wish, setWish] = useState({ id: firstId, round: 1 });
  const { data, error, isFetching, refetch } = useQuery(videoQuery(wish));
  /** The wish whose stream could not be played. */
  const [broken, setBroken] = useState(0);
  const isLoading = data === undefined && isFetching;
  const id = typed.trim();

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (id !== '' && !isLoading) {
      setWish({ id, round: wish.round + 1 });
    }
  }

  return (
    <div className={styles.screen}>
      <h1 tabIndex={-1}>{texts.title}</h1>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Field
          label={texts.field}
          placeholder={texts.placeholder}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
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
      {broken === wish.round && <Notice tone="error">{texts.streamFailed}</Notice>}
      {data && broken !== wish.round && (
        <Player
          key={wish.round}
          source={data.streamUrl}
          renew={async () => {
            const { data: renewed, isError } = await refetch();
            return isError ? undefined : renewed?.streamUrl;
          }}
          onFail={() => setBroken(wish.round)}
        />
      )}
      {data && <Information video={data} />}
    </div>
  );
}

function Information({ video: { id, token, streamUrl } }: { readonly video: Video }) {
  return (
    <Card title={texts.info}>
      <dl className={styles.facts}>
        <dt>{texts.videoId}</dt>
        <dd>{id}</dd>
        <dt>{texts.token}</dt>
        <dd>
          <code>{token.slice(0, shownOfToken)}...</code>
        </dd>
        <dt>{texts.streamUrl}</dt>
        <dd>
          <code>{streamUrl}</code>
        </dd>
      </dl>
    </Card>
  );
}
