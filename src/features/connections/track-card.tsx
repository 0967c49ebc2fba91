/** The card of a track: its cover, what it is, and how far it has come. */
import { ExternalLink, Music } from 'lucide-react';
import { useState } from 'react';

import { type NowPlaying } from '#contract/endpoints/connections';
import { usePlatform } from '#lib/platform';
import { OutsideButton } from '#ui/outside-button';

import { playingTexts as texts } from './texts.ts';
import { asMinutes, useProgress } from './use-progress.ts';

import styles from './connections.module.css';

/** Whose data this is; it asks to be named, and to be led to, wherever its data is shown. */
const spotifyHome = 'https://open.spotify.com';

type TrackCardProps = {
  readonly track: NowPlaying;
  /** When the progress was true, in epoch milliseconds. */
  readonly readAt: number;
};

export function TrackCard({ track, readAt }: TrackCardProps) {
  const platform = usePlatform();
  const isMoving = track.is_playing !== false;
  const [lostCover, setLostCover] = useState('');
  const cover = track.album_art_url === lostCover ? '' : track.album_art_url;
  const details = [track.artist, track.album].filter((text) => text !== '').join(' – ');

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
            alt={texts.cover(track.album)}
            onError={() => setLostCover(cover)}
          />
        )}
      </div>
      <div aria-live="polite">
        <h2 className={styles.title} dir="auto">
          {track.track}
        </h2>
        <p dir="auto">{details}</p>
      </div>
      <Progress
        // A new track starts anew, instead of running back.
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
    </article>
  );
}

function Progress({ track, readAt, isMoving }: TrackCardProps & { readonly isMoving: boolean }) {
  const total = track.duration_ms;
  const elapsed = useProgress({ from: track.progress_ms, readAt, total, isMoving });
  const [now, end] = [asMinutes(elapsed), asMinutes(total)];
  return (
    <div>
      <progress
        className="visually-hidden"
        aria-label={texts.progress}
        aria-valuetext={texts.progressOf(now, end)}
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
