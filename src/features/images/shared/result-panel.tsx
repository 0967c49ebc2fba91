/** The result of a form: a failure, pictures that are being made, the latest pictures, or nothing yet. */
import { skipToken, useQuery } from '@tanstack/react-query';
import { Download, ImageOff } from 'lucide-react';
import { type ComponentType, type Ref, useState } from 'react';

import { type Answer } from '#contract/endpoints/endpoint';
import { readJob } from '#contract/endpoints/images';
import { getRatioSize } from '#contract/images/ratios';
import { call } from '#lib/api';
import { formatWait } from '#lib/wait';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { EmptyState } from '#ui/empty-state';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { historyTexts } from '../history/texts.ts';
import { Lightbox } from '../lightbox/lightbox.tsx';
import {
  downloadPicture,
  getFileName,
  notifyIfDownloadFailed,
  usePreparedDownload,
} from './download-picture.ts';
import { stopWaiting, useIsUnanswered } from './generations.ts';
import { type Picture, usePicture } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { type GenerationRecord, toPictures, useLatestGeneration, useRecords } from './records.ts';
import { ShareMenu, SharePlace, ShareRow } from './share-actions.tsx';
import { type Submission, useFailure, useIsBusy } from './submission.ts';
import { pictureTexts as texts } from './texts.ts';

import styles from './result.module.css';

type ResultPanelProps = {
  readonly ref: Ref<HTMLElement>;
  readonly heading: string;
  readonly submission: Submission;
  /** Shown while pictures are being made. */
  readonly making: string;
  /** Shown while there is no result. */
  readonly empty: string;
  /** How many pictures one generation makes. */
  readonly count?: number;
  /** Whether there are buttons below finished pictures: their place is reserved. */
  readonly hasActions?: boolean;
  readonly Finished: ComponentType<{ readonly record: GenerationRecord }>;
};

export function ResultPanel({ ref, heading, ...outcome }: ResultPanelProps) {
  const failure = useFailure(outcome.submission);
  return (
    <section ref={ref} tabIndex={-1} aria-label={heading} className={styles.place}>
      <Card title={heading}>
        {failure === undefined ? (
          <Outcome {...outcome} />
        ) : (
          <Notice tone="error" onClose={outcome.submission.dismissFailure}>
            <span className={styles.error}>{failure}</span>
          </Notice>
        )}
      </Card>
    </section>
  );
}

function Outcome({
  submission,
  making,
  empty,
  count = 1,
  hasActions = false,
  Finished,
}: Omit<ResultPanelProps, 'ref' | 'heading'>) {
  const { isMaking, newest, latest } = useOutcome(submission);

  return (
    <>
      {/* Always there: screen readers announce only changes of an element. */}
      <output className="visually-hidden">{latest && !isMaking && texts.ready(count)}</output>
      {isMaking ? (
        <PendingPictures text={making} record={newest} count={count} hasActions={hasActions} />
      ) : latest ? (
        <Finished key={latest.id} record={latest} />
      ) : (
        <EmptyState mood="happy" title={empty} />
      )}
    </>
  );
}

/** What a result shows: pictures that are being made, the latest ones, or neither. */
function useOutcome(submission: Submission) {
  const { id } = submission.adapter;
  const isBusy = useIsBusy(submission);
  const [newest] = useRecords(id);
  const latest = useLatestGeneration(id);
  return { isMaking: isBusy || newest?.status === 'pending', newest, latest };
}

/** Whether a result shows more than that there is none yet. */
export function useHasOutcome(submission: Submission): boolean {
  const failure = useFailure(submission);
  const { isMaking, latest } = useOutcome(submission);
  return failure !== undefined || isMaking || latest !== undefined;
}

type PendingPicturesProps = {
  readonly text: string;
  readonly record: GenerationRecord | undefined;
  readonly count: number;
  readonly hasActions: boolean;
};

/** Boxes in the shape of the pictures that are being made. */
function PendingPictures({ text, record, count, hasActions }: PendingPicturesProps) {
  const { width, height } = getRatioSize(record?.ratio ?? '');
  const isUnanswered = useIsUnanswered(record);
  return (
    <div className={styles.result}>
      <div className={count > 1 ? styles.several : styles.single}>
        {Array.from({ length: count }, (_box, index) => (
          <div
            key={index}
            className={`${styles.frame} ${styles.starting}`}
            style={{ aspectRatio: `${width} / ${height}` }}
          >
            {index === 0 && <Spinner label={text} />}
          </div>
        ))}
      </div>
      {record && isUnanswered && (
        <Notice
          tone="warning"
          action={
            <Button kind="quiet" onClick={() => stopWaiting(record)}>
              {texts.stop}
            </Button>
          }
        >
          {texts.unanswered}
        </Notice>
      )}
      <QueuePlace jobKey={record?.jobKey} />
      <SharePlace record={record} />
      {hasActions && <div className={styles.reserved} aria-hidden />}
      <p className={styles.prompt} dir="auto">
        {record?.prompt}
      </p>
    </div>
  );
}

/** How often the place in the queue is asked for. */
const askEveryMs = 3000;

const nothingKnown: Answer<typeof readJob> = { state: 'queued' };

/** How many are before a picture, and how long it probably takes: once the server knows, and nothing before. */
function QueuePlace({ jobKey }: { readonly jobKey: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['queue', jobKey],
    queryFn:
      jobKey === undefined ? skipToken : ({ signal }) => call(readJob, { job_key: jobKey }, signal),
    refetchInterval: askEveryMs,
    // Not before that time: most pictures are done by then.
    initialData: nothingKnown,
    staleTime: Number.POSITIVE_INFINITY,
    // The picture itself is waited for by another call, which says what is wrong.
    retry: false,
    gcTime: 0,
  });
  const { queue_position: position, expected_seconds: seconds } = data ?? nothingKnown;
  const parts = [
    position === undefined || position === 1 ? '' : texts.queue.before(position - 1),
    seconds === undefined ? '' : texts.queue.expected(formatWait(seconds)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <p className={styles.prompt}>{parts.join(' ')}</p>;
}

type ResultPicturesProps = {
  readonly adapter: ProviderAdapter;
  readonly record: GenerationRecord;
  /** Shown below an enlarged picture. */
  readonly caption: string;
};

/** The pictures of a generation; several stand in a grid. A click enlarges one. */
export function ResultPictures({ adapter, record, caption }: ResultPicturesProps) {
  const [largeId, setLargeId] = useState<string>();
  const pictures = toPictures(record);
  const large = pictures.find(({ id }) => id === largeId);
  const isSeveral = pictures.length > 1;

  return (
    <>
      <div className={isSeveral ? styles.several : styles.single}>
        {pictures.map((picture, index) => (
          <PictureFrame
            key={picture.id}
            record={picture}
            {...(isSeveral ? { name: historyTexts.all.name(index + 1) } : {})}
            onEnlarge={() => setLargeId(picture.id)}
          />
        ))}
      </div>
      {large && (
        <Lightbox
          pictures={pictures}
          shown={large}
          onShow={setLargeId}
          onClose={() => setLargeId(undefined)}
          caption={caption}
          actions={<ShareMenu adapter={adapter} record={large} />}
        />
      )}
      <ShareRow adapter={adapter} record={record} isAll={isSeveral} />
    </>
  );
}

type PictureFrameProps = {
  readonly record: GenerationRecord;
  /** Replaces the prompt as the accessible name, where several pictures have the same prompt. */
  readonly name?: string;
  readonly onEnlarge: () => void;
};

const maxAltLength = 120;

/** A finished picture as a button, in a box that has its shape before it is loaded. */
export function PictureFrame({ record, name = record.prompt, onEnlarge }: PictureFrameProps) {
  const { picture, isFailed, onError } = useShownPicture(record);
  const { width, height } =
    record.width && record.height
      ? { width: record.width, height: record.height }
      : getRatioSize(record.ratio);
  const alt = name.slice(0, maxAltLength);

  return (
    <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {isFailed && (
        <p className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          {texts.notLoaded}
          <span>{record.modelName || record.modelId || alt}</span>
        </p>
      )}
      {picture.state === 'loading' && <Spinner label={texts.loading} />}
      {picture.state === 'ready' && !isFailed && (
        <button
          type="button"
          className={styles.enlarge}
          aria-label={texts.enlarge(alt)}
          onClick={onEnlarge}
        >
          <img
            src={picture.url}
            alt={alt}
            width={width}
            height={height}
            decoding="async"
            onError={onError}
          />
        </button>
      )}
    </div>
  );
}

/** The original, or the thumbnail when its link does not load, as without a network. */
export function useShownPicture(record: GenerationRecord) {
  const original = usePicture(record, 'original');
  const thumbnail = usePicture(record, 'thumbnail');
  const [failedUrls, setFailedUrls] = useState<readonly string[]>([]);
  const isFailing = ({ url }: Picture) => url !== undefined && failedUrls.includes(url);
  const picture = isFailing(original) ? thumbnail : original;
  return {
    picture,
    isFailed: picture.state === 'missing' || isFailing(picture),
    onError: () => setFailedUrls((before) => [...before, picture.url ?? '']),
  };
}

type DownloadLinkProps = { readonly adapter: ProviderAdapter; readonly record: GenerationRecord };

/** A click saves the picture as a file. */
export function DownloadLink({ adapter, record }: DownloadLinkProps) {
  const { url } = usePicture(record, 'original');
  usePreparedDownload(record);
  return (
    // With a real address, so that the browser's own menu can save or open the picture.
    <a
      href={url ?? '#'}
      download={getFileName(adapter, record)}
      className={styles.download}
      onClick={(event) => {
        event.preventDefault();
        void notifyIfDownloadFailed(downloadPicture(adapter, record));
      }}
    >
      <Download aria-hidden size={18} />
      {texts.download}
    </a>
  );
}

type FactsProps = {
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly className?: string | undefined;
};

/** Short facts about a picture; those without a text are left out. */
export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={[styles.facts, className].filter(Boolean).join(' ')}>
      {facts
        .filter(({ text }) => text !== '')
        .map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}
