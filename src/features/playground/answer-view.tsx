/** The Response tab: status, time, size, what went wrong, the body and the headers. */
import { FileDown } from 'lucide-react';
import { useState } from 'react';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { CopyButton } from '#ui/copy-button';
import { Disclosure } from '#ui/disclosure';
import { Notice } from '#ui/notice';

import { ErrorBox } from './error-box.tsx';
import { prettyText } from './json-text.ts';
import { JsonViewer } from './json-viewer.tsx';
import { downloadUrl } from './request.ts';
import { type Answer } from './run.ts';
import { texts } from './texts.ts';

import styles from './answer.module.css';
import shared from './playground.module.css';

type AnswerViewProps = { readonly endpoint: PublicEndpoint; readonly answer: Answer };

export function AnswerView({ endpoint, answer }: AnswerViewProps) {
  const copyText = useCopyText();
  const platform = usePlatform();
  const { status, ms, bytes, text, lines, detail, preview } = answer;
  const isGood = status < 400;
  const pretty = () => (lines ? prettyText(text, lines) : text);
  // A refusal that is asked for anew is no file.
  const isSaved = lines !== undefined && (isGood || platform.savesBlobs);

  return (
    <>
      <div className={styles.facts}>
        <strong className={isGood ? styles.good : styles.bad}>{texts.status(status)}</strong>
        <span>{texts.ms(ms)}</span>
        <span>{texts.size(bytes)}</span>
        {lines && <span>{texts.lines(lines.count)}</span>}
        <span className={styles.factActions}>
          {text !== '' && <CopyButton label={texts.copyResponse} copy={() => copyText(pretty())} />}
          {isSaved && (
            <DownloadButton name={`${endpoint.id}.json`} path={answer.path} text={pretty} />
          )}
        </span>
      </div>
      {isSaved && !platform.savesBlobs && <p className={shared.hint}>{texts.downloadHint}</p>}
      {!isGood && <ErrorBox reason={detail ?? texts.failed} />}
      <Body text={text} lines={lines} isFile={preview?.url.startsWith('blob:') === true} />
      <Headers headers={answer.headers} />
    </>
  );
}

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
          {text.slice(0, longestPlain)}
        </pre>
      </section>
      {text.length > longestPlain && (
        <p className={shared.hint}>{texts.moreCharacters(text.length - longestPlain)}</p>
      )}
    </>
  );
}

/** Characters of an answer that is no JSON. */
const longestPlain = 100_000;

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

type DownloadButtonProps = {
  readonly name: string;
  readonly path: string;
  readonly text: () => string;
};

function DownloadButton({ name, path, text }: DownloadButtonProps) {
  const platform = usePlatform();
  const [isRefused, setIsRefused] = useState(false);

  const save = async () => {
    if (!platform.savesBlobs) {
      const url = downloadUrl(path, window.location.origin);
      setIsRefused(!(await platform.download({ url, name })));
      return;
    }
    const url = URL.createObjectURL(new Blob([text()], { type: 'application/json' }));
    setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
    setIsRefused(!(await platform.download({ url, name })));
  };

  return (
    <>
      <Button kind="quiet" icon={<FileDown aria-hidden size={18} />} onClick={() => void save()}>
        {texts.download}
      </Button>
      {isRefused && <Notice tone="warning">{texts.notSaved}</Notice>}
    </>
  );
}
