/** The response of an endpoint: a Response tab, and a Preview tab for a picture or a sound. */
import { ArrowLeft, FileDown } from 'lucide-react';
import { type Ref, useState } from 'react';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { joinList } from '#lib/format';
import { locale } from '#lib/language';
import { getPlatform, usePlatform } from '#lib/platform';
import { Button, IconButton } from '#ui/button';
import { CopyButton } from '#ui/copy-button';
import { Disclosure } from '#ui/disclosure';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { ErrorBox } from './error-box.tsx';
import { prettyText } from './json-text.ts';
import { JsonViewer } from './json-viewer.tsx';
import { type Place } from './place.ts';
import { statusText, toDownloadUrl } from './request.ts';
import { type Answer, type RunState } from './run.ts';
import { texts } from './texts.ts';

import styles from './answer.module.css';
import shared from './playground.module.css';

type ResponsePanelProps = {
  readonly ref: Ref<HTMLElement>;
  readonly endpoint: PublicEndpoint;
  readonly current: RunState;
  readonly onCancel: () => void;
  readonly place: Place;
};

export function ResponsePanel({ ref, endpoint, current, onCancel, place }: ResponsePanelProps) {
  return (
    <section ref={ref} className={shared.response} aria-labelledby="results">
      <div className={shared.bar}>
        <IconButton
          label={texts.backToForm}
          className={shared.back}
          icon={<ArrowLeft aria-hidden size={22} />}
          onClick={place.hideResponse}
        />
        <h2 id="results" tabIndex={-1}>
          {texts.results}
        </h2>
        {current.state === 'answered' && (
          <AnswerActions endpoint={endpoint} answer={current.answer} />
        )}
      </div>
      {/* Always mounted: screen readers announce changes of an element, not a new element. */}
      <output className={current.state === 'executing' ? styles.waiting : 'visually-hidden'}>
        {current.state === 'executing' && (
          <>
            <Spinner size="small" />
            {texts.executing}
          </>
        )}
        {current.state === 'answered' &&
          joinList([
            statusText(current.answer.status),
            texts.ms(current.answer.ms),
            sizeText(current.answer.bytes),
          ])}
      </output>
      {current.state === 'executing' && (
        <Button className={shared.cancelHere} onClick={onCancel}>
          {texts.cancel}
        </Button>
      )}
      {current.state === 'idle' && <p className={shared.empty}>{texts.empty}</p>}
      {current.state === 'cancelled' && <p className={shared.empty}>{texts.cancelled}</p>}
      {current.state === 'failed' && <ErrorBox reason={current.reason} hint={current.hint} />}
      {current.state === 'answered' && (
        <>
          <Facts {...current.answer} />
          <AnswerTabs endpoint={endpoint} answer={current.answer} />
        </>
      )}
    </section>
  );
}

/** With one digit after the decimal sign of the language: 1.5. */
function oneDecimal(value: number): string {
  const sign = new Intl.NumberFormat(locale).format(0.5).charAt(1);
  return value.toFixed(1).replace('.', sign);
}

function sizeText(bytes: number): string {
  if (bytes < 1000) {
    return texts.bytes(bytes);
  }
  return bytes < 1_000_000
    ? texts.kilobytes(oneDecimal(bytes / 1000))
    : texts.megabytes(oneDecimal(bytes / 1_000_000));
}

/** Status, time and size. */
function Facts({ status, ms, bytes, lines }: Answer) {
  return (
    <div className={styles.facts}>
      <strong className={status < 400 ? styles.good : styles.bad}>{statusText(status)}</strong>
      <span>{texts.ms(ms)}</span>
      <span>{sizeText(bytes)}</span>
      {lines && <span>{texts.lines(lines.count)}</span>}
    </div>
  );
}

type AnswerProps = { readonly endpoint: PublicEndpoint; readonly answer: Answer };

function AnswerTabs({ endpoint, answer }: AnswerProps) {
  const [selected, setSelected] = useState<'response' | 'preview'>('response');
  const { preview } = answer;
  const tabs = [
    { id: 'response', label: texts.response } as const,
    ...(preview ? [{ id: 'preview', label: texts.preview } as const] : []),
  ];
  return (
    <>
      <Tabs
        name="answer"
        label={texts.results}
        tabs={tabs}
        selected={selected}
        onSelect={(id) => {
          getPlatform().haptic('selection');
          setSelected(id);
        }}
      />
      <TabPanel name="answer" selected={selected} className={shared.answer}>
        {selected === 'preview' && preview ? (
          <Preview name={endpoint.name} isBlurred={endpoint.is18plus} {...preview} />
        ) : (
          <AnswerDetails answer={answer} />
        )}
      </TabPanel>
    </>
  );
}

/** The error, the body and the headers. */
function AnswerDetails({ answer }: Pick<AnswerProps, 'answer'>) {
  const { savesBlobs } = usePlatform();
  const { status, text, lines, detail, preview } = answer;

  return (
    <>
      {hasDownload(answer, savesBlobs) && !savesBlobs && (
        <p className={shared.hint}>{texts.downloadHint}</p>
      )}
      {status >= 400 && <ErrorBox reason={detail ?? texts.failed} />}
      <Body text={text} lines={lines} isFile={preview?.url.startsWith('blob:') === true} />
      <Headers headers={answer.headers} />
    </>
  );
}

/** Telegram downloads by requesting the address again, and would store a refusal as a file. */
function hasDownload({ lines, status }: Answer, savesBlobs: boolean): boolean {
  return lines !== undefined && (status < 400 || savesBlobs);
}

/** Characters of a body that is not JSON. */
const maxPlainLength = 100_000;

type BodyProps = Pick<Answer, 'text' | 'lines'> & { readonly isFile: boolean };

function Body({ text, lines, isFile }: BodyProps) {
  if (lines) {
    return <JsonViewer text={text} lines={lines} />;
  }
  if (text.trim() === '') {
    return isFile ? null : <p className={shared.empty}>{texts.noBody}</p>;
  }
  return (
    <>
      <p className={shared.hint}>{texts.notJson}</p>
      <section aria-label={texts.body}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A box that scrolls has to be reachable by keyboard. */}
        <pre className={shared.plain} tabIndex={0}>
          {text.slice(0, maxPlainLength)}
        </pre>
      </section>
      {text.length > maxPlainLength && (
        <p className={shared.hint}>{texts.moreCharacters(text.length - maxPlainLength)}</p>
      )}
    </>
  );
}

function Headers({ headers }: Pick<Answer, 'headers'>) {
  const [isOpen, setIsOpen] = useState(false);
  const all = Object.entries(headers);
  return (
    <Disclosure
      id="answer-headers"
      heading={texts.headers}
      remark={String(all.length)}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <dl className={styles.headers}>
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={shared.hint}>{texts.headersNote}</p>
    </Disclosure>
  );
}

const revokeAfterMs = 60_000;

/** Copies and downloads the answer. */
function AnswerActions({ endpoint, answer }: AnswerProps) {
  const copyText = useCopyText();
  const platform = usePlatform();
  const [isRefused, setIsRefused] = useState(false);
  const { text, lines, path } = answer;
  const formatText = () => (lines ? prettyText(text, lines) : text);

  function createUrl(): string {
    if (!platform.savesBlobs) {
      return toDownloadUrl(path, window.location.origin);
    }
    const url = URL.createObjectURL(new Blob([formatText()], { type: 'application/json' }));
    setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
    return url;
  }

  const save = async () => {
    const name = `${endpoint.id}.json`;
    setIsRefused(!(await platform.download({ url: createUrl(), name })));
  };

  return (
    <>
      {text !== '' && <CopyButton label={texts.copyResponse} copy={() => copyText(formatText())} />}
      {hasDownload(answer, platform.savesBlobs) && (
        <IconButton
          label={texts.download}
          icon={<FileDown aria-hidden size={20} />}
          onClick={() => void save()}
        />
      )}
      {isRefused && <Notice tone="warning">{texts.notSaved}</Notice>}
    </>
  );
}

type PreviewProps = NonNullable<Answer['preview']> & {
  /** Of the endpoint. */
  readonly name: string;
  /** Until the user presses a button. */
  readonly isBlurred: boolean;
};

/** The picture, or the sound with its controls. */
function Preview({ kind, url, name, isBlurred }: PreviewProps) {
  const platform = usePlatform();
  const [hasFailed, setHasFailed] = useState(false);
  const [isShown, setIsShown] = useState(!isBlurred);

  if (hasFailed) {
    return (
      <Notice
        tone="error"
        action={
          url.startsWith('blob:') ? undefined : (
            <Button onClick={() => platform.openLink(url)}>{texts.open}</Button>
          )
        }
      >
        {kind === 'image' ? texts.imageFailed : texts.audioFailed}
      </Notice>
    );
  }
  if (kind === 'audio') {
    return (
      // The spoken text is in the form.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <audio
        className={styles.audio}
        controls
        preload="metadata"
        src={url}
        aria-label={texts.image(name)}
        onError={() => setHasFailed(true)}
      />
    );
  }
  return (
    <figure className={isShown ? styles.picture : `${styles.picture} ${styles.blurred}`}>
      <img
        src={url}
        alt={texts.image(name)}
        referrerPolicy="no-referrer"
        onError={() => setHasFailed(true)}
      />
      {!isShown && (
        <Button className={styles.reveal} onClick={() => setIsShown(true)}>
          {texts.reveal}
        </Button>
      )}
    </figure>
  );
}
