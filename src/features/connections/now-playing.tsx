/** The track that the user is listening to, on a card that fills the page. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ExternalLink, Music } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { type NowPlaying } from '#contract/endpoints/connections';
import { ApiError, errorText } from '#lib/api';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button, ButtonLink } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { OutsideButton } from '#ui/outside-button';
import { Spinner } from '#ui/spinner';

import { connectionQueries } from './queries.ts';
import { playingTexts as texts } from './texts.ts';

import styles from './connections.module.css';

const pollMs = 20_000;

export function NowPlayingScreen() {
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{texts.heading}</h1>
      <CurrentUser />
    </div>
  );
}

/** Finds the Telegram ID of the user, which the device may not have stored. */
function CurrentUser() {
  const session = useSession();
  const telegramId = session.status === 'member' ? session.telegramId : undefined;
  const isIdUnknown = session.status === 'member' && telegramId === undefined;
  const me = useQuery({ ...connectionQueries.me(), enabled: isIdUnknown });
  const meError = useLastError(me);

  if (telegramId !== undefined) {
    return <CurrentTrack key={telegramId} telegramId={telegramId} />;
  }
  if (session.status === 'guest') {
    return (
      <EmptyState
        mood="happy"
        title={texts.loginNeeded}
        action={
          <ButtonLink
            kind="primary"
            to={session.isNewcomer ? paths.signup : paths.login}
            state={{ from: paths.nowPlaying }}
          >
            {texts.login}
          </ButtonLink>
        }
      />
    );
  }
  if (meError) {
    return (
      <Problem title={texts.notStarted} retry={me.refetch}>
        {errorText(meError, '')}
      </Problem>
    );
  }
  return <Spinner label={texts.loading} />;
}

function CurrentTrack({ telegramId }: { readonly telegramId: string }) {
  const playing = useQuery({
    ...connectionQueries.playing(telegramId),
    refetchInterval: ({ state }) => Math.max(pollMs, readPauseMs(state.error)),
    // At once when the user returns, unless the service has asked for a pause.
    refetchOnWindowFocus: ({ state }) => (readPauseMs(state.error) > 0 ? false : 'always'),
    refetchOnMount: 'always',
  });
  const { data, dataUpdatedAt, refetch } = playing;
  const error = useLastError(playing);
  const reason = errorText(error?.cause, '');

  const isUnlinked = isLinkError(error?.cause);
  if (data === undefined || isUnlinked) {
    return error ? (
      <Problem title={texts.failed} retry={refetch} leadsToAccounts={isUnlinked}>
        {reason}
      </Problem>
    ) : (
      <Spinner label={texts.loading} />
    );
  }
  const notice = error && (
    <Notice tone="error">{reason === '' ? texts.failed : texts.failedBecause(reason)}</Notice>
  );
  return data ? (
    <TrackCard track={data} readAt={dataUpdatedAt}>
      {notice}
    </TrackCard>
  ) : (
    <>
      <EmptyState mood="sleepy" title={texts.nothing}>
        {texts.nothingHint}
      </EmptyState>
      {notice}
    </>
  );
}

type ProblemProps = {
  readonly title: string;
  readonly retry: () => Promise<unknown>;
  /** The account has to be linked first. */
  readonly leadsToAccounts?: boolean;
  readonly children: ReactNode;
};

function Problem({ title, retry, leadsToAccounts = false, children }: ProblemProps) {
  const [isBusy, setIsBusy] = useState(false);

  async function tryAgain(): Promise<void> {
    setIsBusy(true);
    await retry();
    setIsBusy(false);
  }

  return (
    <div role="alert">
      <EmptyState
        mood="surprised"
        title={title}
        action={
          leadsToAccounts ? (
            <ButtonLink kind="primary" to={paths.dashboard}>
              {texts.toAccounts}
            </ButtonLink>
          ) : (
            <Button kind="primary" isBusy={isBusy} onClick={() => void tryAgain()}>
              {texts.retry}
            </Button>
          )
        }
      >
        {children}
      </EmptyState>
    </div>
  );
}

/** The error of the last finished request. It stays while the next one runs, so that the text does not flicker. */
function useLastError({ error, isSuccess }: Pick<UseQueryResult, 'error' | 'isSuccess'>) {
  const [last, setLast] = useState<Error | null>(null);
  const now = error ?? (isSuccess ? null : last);
  if (now !== last) {
    setLast(now);
  }
  return now;
}

/** How long the server has asked us to wait, in ms; 0 when it has not. */
function readPauseMs(error: Error | null): number {
  const cause = error?.cause;
  return cause instanceof ApiError ? (cause.retryAfterS ?? 0) * 1000 : 0;
}

function isLinkError(cause: unknown): boolean {
  return cause instanceof ApiError && ['not_linked', 'connection_lost'].includes(cause.code);
}

/** Spotify requires that it is named and linked wherever its data is shown. */
const spotifyHome = 'https://open.spotify.com';

type TrackCardProps = {
  readonly track: NowPlaying;
  /** When the track and its progress were read, in epoch milliseconds. */
  readonly readAt: number;
};

function TrackCard({ track, readAt, children }: TrackCardProps & { readonly children: ReactNode }) {
  const platform = usePlatform();
  const isMoving = track.is_playing !== false;
  const [failedCover, setFailedCover] = useState('');
  const cover = track.album_art_url === failedCover ? '' : track.album_art_url;
  // An episode may name its show twice.
  const details = [...new Set([track.artist, track.album])]
    .filter((text) => text !== '')
    .join(' – ');

  return (
    <article className={styles.card}>
      {!platform.isLowPower && (
        <div className={styles.backdrop} aria-hidden>
          <div className={styles.glow}>
            {cover !== '' && <img key={cover} src={cover} alt="" />}
          </div>
        </div>
      )}
      <div className={styles.cover}>
        {cover === '' ? (
          <Music aria-hidden size={72} strokeWidth={1.5} />
        ) : (
          <img
            key={cover}
            src={cover}
            alt={track.album === '' ? texts.cover : texts.albumCover(track.album)}
            onError={() => setFailedCover(cover)}
          />
        )}
      </div>
      <div className={styles.details}>
        <div aria-live="polite">
          <h2 className={styles.title} dir="auto">
            {track.track}
          </h2>
          <p dir="auto">{details}</p>
        </div>
        <Progress
          // With a new track the bar starts again instead of moving back.
          key={`${track.track} ${track.artist}`}
          track={track}
          readAt={readAt}
          isMoving={isMoving}
        />
        <p className={styles.small}>
          <span className={styles.bars} data-moving={isMoving && !platform.isLowPower} aria-hidden>
            <i />
            <i />
            <i />
          </span>
          {isMoving ? texts.playing : texts.paused}
        </p>
        <div className={styles.source}>
          <OutsideButton
            href={spotifyHome}
            reason=""
            icon={<ExternalLink aria-hidden size={18} />}
            onOpen={(href) => platform.openLink(href)}
          >
            {texts.open}
          </OutsideButton>
        </div>
        {children}
      </div>
    </article>
  );
}

type ProgressProps = TrackCardProps & { readonly isMoving: boolean };

function Progress(props: ProgressProps) {
  const total = props.track.duration_ms;
  const elapsed = useElapsedMs(props);
  const [now, end] = [formatTime(elapsed), formatTime(total)];
  return (
    <div>
      <progress
        className="visually-hidden"
        aria-label={texts.progress}
        aria-valuetext={texts.progressText(now, end)}
        max={Math.max(1, Math.round(total / 1000))}
        value={Math.floor(elapsed / 1000)}
      />
      <div className={styles.bar} aria-hidden>
        <div style={{ transform: `scaleX(${total > 0 ? elapsed / total : 0})` }} />
      </div>
      <p className={`${styles.small} ${styles.times}`}>
        <span>{now}</span>
        <span>{end}</span>
      </p>
    </div>
  );
}

const tickMs = 500;

/** How much of the track has played by now, in ms: counted on from the last answer, up to its end. */
function useElapsedMs({ track, readAt, isMoving }: ProgressProps): number {
  const [now, setNow] = useState(() => Date.now());
  const sinceRead = isMoving ? Math.max(0, now - readAt) : 0;
  const elapsed = Math.min(track.duration_ms, track.progress_ms + sinceRead);
  const isTicking = isMoving && elapsed < track.duration_ms;

  useEffect(() => {
    if (!isTicking) {
      return undefined;
    }
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isTicking]);

  return elapsed;
}

/** `m:ss`, with more than 60 minutes where needed. */
function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
