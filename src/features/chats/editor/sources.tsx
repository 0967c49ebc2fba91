/** What a content gets from elsewhere: a file of the device, or a message that is sent to the bot. */
import { useQuery } from '@tanstack/react-query';
import { Paperclip, Send, Trash2, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as v from 'valibot';

import { type ContentMedia, type MediaKind, mediaWithoutCaption } from '#contract/chats/contents';
import { listContents, wholeChat } from '#contract/chats/values';
import { maxMediaBytes, requestContent, uploadMedia } from '#contract/endpoints/chat-contents';
import {
  type Answer,
  type CallInput,
  type Endpoint,
  splitInput,
} from '#contract/endpoints/endpoint';
import { readErrorBody } from '#contract/endpoints/errors';
import { call, errorText, ApiError, backendUrl, renewRefusedToken } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { language } from '#lib/language';
import { usePlatform } from '#lib/platform';
import { getSession } from '#lib/session';
import { useAction } from '#lib/use-action';
import { Button, IconButton } from '#ui/button';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { handleLostAccess, showInfo } from '../failed-writes.ts';
import { useShownValues, valueQuery } from '../value-writes.ts';
import { isSameDraft } from './draft.ts';
import { mediaIcons } from './preview.tsx';
import { summaryTexts } from './summary-texts.ts';
import { editorTexts } from './texts.ts';
import { type ContentEditorProps, type Writing } from './writing.ts';

import sections from '../sections/sections.module.css';
import styles from './editor.module.css';

const { media: mediaTexts, telegram: texts } = editorTexts;

const megabyte = 1024 * 1024;
/** Telegram takes larger pictures as files only. */
const maxPhotoBytes = 10 * megabyte;

type Attached = { readonly media: ContentMedia; readonly file: File };

type MediaPartProps = {
  readonly chatId: string;
  readonly media: ContentMedia | undefined;
  readonly onChange: (attached: Attached | undefined) => void;
};

export function MediaPart({ chatId, media, onChange }: MediaPartProps) {
  const upload = useUpload(chatId, onChange);
  const { botId } = useCapabilities();
  const input = useRef<HTMLInputElement>(null);
  const Icon = media === undefined ? Paperclip : mediaIcons[media.kind];
  const { sending, error } = upload;
  const isLost = media !== undefined && botId !== undefined && media.bot_id !== botId;

  return (
    <Section heading={mediaTexts.heading} headingLevel={3}>
      {sending !== undefined ? (
        <Cell
          before={<Spinner size="small" />}
          title={mediaTexts.uploading(sending.name)}
          subtitle={
            <progress
              className={styles.progress}
              max={1}
              value={sending.share}
              aria-label={mediaTexts.uploading(sending.name)}
            >
              {mediaTexts.percent(Math.round(sending.share * 100))}
            </progress>
          }
          after={
            <IconButton
              label={mediaTexts.cancel}
              icon={<X aria-hidden size={20} />}
              onClick={upload.cancel}
            />
          }
        />
      ) : media === undefined ? (
        <Cell
          tone="accent"
          before={<Paperclip size={20} />}
          title={mediaTexts.attach}
          subtitle={mediaTexts.attachAbout(maxMediaBytes / megabyte)}
          onClick={() => input.current?.click()}
        />
      ) : (
        <Cell
          before={<Icon size={20} />}
          title={summaryTexts.kinds[media.kind]}
          subtitle={
            mediaWithoutCaption.has(media.kind) ? mediaTexts.withoutText : mediaTexts.attached
          }
          after={
            <IconButton
              label={mediaTexts.remove}
              icon={<Trash2 aria-hidden size={20} />}
              onClick={() => onChange(undefined)}
            />
          }
        />
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={mediaTexts.attach}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can then be chosen again.
          target.value = '';
          if (file) {
            upload.start(file);
          }
        }}
      />
      <div aria-live="polite">
        {(error !== undefined || isLost) && (
          <div className={sections.inset}>
            <Notice tone={error === undefined ? 'warning' : 'error'} isInLiveRegion>
              {error ?? mediaTexts.lost}
            </Notice>
          </div>
        )}
      </div>
    </Section>
  );
}

type Sending = { readonly name: string; readonly share: number; readonly stop: AbortController };

function useUpload(chatId: string, onAttached: (attached: Attached) => void) {
  const platform = usePlatform();
  const [sending, setSending] = useState<Sending>();
  const [error, setError] = useState<string>();
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);

  async function start(file: File): Promise<void> {
    if (file.size > maxMediaBytes) {
      setError(mediaTexts.tooLarge(maxMediaBytes / megabyte));
      return;
    }
    const stop = new AbortController();
    running.current = stop;
    setError(undefined);
    const show = (share: number) =>
      stop.signal.aborted || setSending({ name: file.name, share, stop });
    show(0);
    try {
      const { media } = await uploadFile(
        uploadMedia,
        { chat_id: chatId, media_kind: readKind(file), file, file_name: file.name.slice(-100) },
        { signal: stop.signal, onProgress: show },
      );
      setSending(undefined);
      platform.haptic('success');
      onAttached({ media, file });
    } catch (failure) {
      if (!stop.signal.aborted) {
        setSending(undefined);
        if (!handleLostAccess(chatId, failure)) {
          platform.haptic('error');
          setError(errorText(failure, mediaTexts.failed));
        }
      }
    }
  }

  return {
    sending,
    error,
    start: (file: File) => void start(file),
    cancel: () => {
      running.current?.abort();
      setSending(undefined);
    },
  };
}

function readKind({ type, size }: File): MediaKind {
  if (type === 'image/gif') {
    return 'animation';
  }
  if (/^image\/(?:jpeg|png|webp)$/.test(type) && size <= maxPhotoBytes) {
    return 'photo';
  }
  if (type === 'video/mp4') {
    return 'video';
  }
  return type === 'audio/mpeg' || type === 'audio/mp4' ? 'audio' : 'document';
}

/** How often the values are read while a message is awaited; where events of the server arrive, they are faster. */
const awaitedEveryMs = 3000;

type FromTelegramProps = ContentEditorProps & { readonly writing: Writing };

type Awaited = {
  readonly name: string;
  readonly link: string;
  /** The content that the value had named. */
  readonly before: string | undefined;
};

/** Has the bot take the user's next message to it as the content. */
export function FromTelegram({
  chat,
  place = wholeChat,
  toName,
  keyField,
  contentId,
  writing,
  onClose,
}: FromTelegramProps) {
  const { chat_id: chatId } = chat;
  const { draft, base, key, discard } = writing;
  const platform = usePlatform();
  const finalKey = keyField?.toKey(key) ?? '';
  const isNamed = keyField?.check(finalKey) === undefined;
  const [awaited, setAwaited] = useState<Awaited>();
  const [error, setError] = useState<string>();
  const isWaiting = awaited !== undefined;
  const hasArrived = useArrival({ chatId, place, awaited });
  const finish = useEffectEvent(() => {
    platform.haptic('success');
    if (isSameDraft(draft, base)) {
      showInfo('content-arrived', texts.arrived);
      discard();
      onClose();
    }
  });

  useEffect(() => {
    if (hasArrived) {
      finish();
    }
  }, [hasArrived]);

  const asking = useAction(async (signal) => {
    setError(undefined);
    const name = toName(finalKey);
    try {
      const { link } = await call(
        requestContent,
        { chat_id: chatId, value_name: name, place },
        signal,
      );
      if (!signal.aborted) {
        setAwaited({ name, link, before: contentId });
        platform.openTelegramLink(link);
      }
    } catch (failure) {
      if (!signal.aborted && !handleLostAccess(chatId, failure)) {
        platform.haptic('error');
        setError(errorText(failure, texts.failed));
      }
    }
  });

  return (
    <Section>
      <Cell
        tone="accent"
        before={isWaiting && !hasArrived ? <Spinner size="small" /> : <Send size={20} />}
        title={isWaiting ? texts.open : texts.title}
        subtitle={isNamed ? texts.about : texts.needsName}
        isDisabled={!isNamed}
        onClick={() => (isWaiting ? platform.openTelegramLink(awaited.link) : asking.run())}
      />
      <div aria-live="polite">
        {error !== undefined && (
          <div className={sections.inset}>
            <Notice tone="error" isInLiveRegion>
              {error}
            </Notice>
          </div>
        )}
        {isWaiting && (
          <AwaitedNotice
            hasArrived={hasArrived}
            onStop={() => setAwaited(undefined)}
            onUse={() => {
              discard();
              onClose();
            }}
          />
        )}
      </div>
    </Section>
  );
}

type AwaitedNoticeProps = {
  readonly hasArrived: boolean;
  readonly onStop: () => void;
  /** Leaves what has arrived, and nothing of what was written here. */
  readonly onUse: () => void;
};

function AwaitedNotice({ hasArrived, onStop, onUse }: AwaitedNoticeProps) {
  return (
    <div className={sections.inset}>
      {hasArrived ? (
        <Notice tone="success" isInLiveRegion action={<Button onClick={onUse}>{texts.use}</Button>}>
          {texts.arrivedBeside}
        </Notice>
      ) : (
        <Notice tone="info" isInLiveRegion action={<Button onClick={onStop}>{texts.stop}</Button>}>
          {texts.waiting}
        </Notice>
      )}
    </div>
  );
}

type Arrival = {
  readonly chatId: string;
  readonly place: string;
  readonly awaited: Awaited | undefined;
};

/** Whether the awaited message has become the content. */
function useArrival({ chatId, place, awaited }: Arrival): boolean {
  const name = awaited?.name ?? '';
  const shown = useShownValues({ chatId, place, names: [name] });
  const [now] = listContents(name, shown[name]);
  const hasArrived = now !== undefined && now !== awaited?.before;
  useQuery({
    ...valueQuery(chatId),
    refetchInterval: awaited !== undefined && !hasArrived && awaitedEveryMs,
  });
  return hasArrived;
}

type UploadOptions = {
  readonly signal: AbortSignal;
  /** Called with the part that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** Calls an endpoint whose body is a form. Rejects with an `ApiError` as `call` does. */
async function uploadFile<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: UploadOptions,
): Promise<Answer<E>> {
  const token = readToken();
  let sent = await send(endpoint, input, options);
  if (sent.status === 401 && token !== undefined && (await renewRefusedToken(token))) {
    sent = await send(endpoint, input, options);
  }
  const body = readJson(sent.text);
  if (sent.status < 200 || sent.status > 299) {
    const { detail, code } = readErrorBody(body);
    throw uploadError({ status: sent.status, code: code ?? `http_${sent.status}`, detail });
  }
  const answer = v.safeParse<E['output']>(endpoint.output, body);
  if (!answer.success) {
    throw uploadError({ status: sent.status, code: 'unreadable' });
  }
  return answer.output;
}

function uploadError(
  facts: Pick<ApiError, 'status' | 'code'> & { readonly detail?: string | undefined },
) {
  return new ApiError({ message: `The upload failed: ${facts.code}`, ...facts });
}

function readToken(): string | undefined {
  const session = getSession();
  return session.status === 'member' ? session.token : undefined;
}

function headers(): Readonly<Record<string, string>> {
  const token = readToken();
  return {
    Accept: 'application/json',
    // Not that of the browser: the page may have another.
    'Accept-Language': language,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  { signal, onProgress }: UploadOptions,
): Promise<{ readonly status: number; readonly text: string }> {
  const { path, body } = splitInput(endpoint, input);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, backendUrl + path);
    for (const [name, value] of Object.entries(headers())) {
      request.setRequestHeader(name, value);
    }
    const abort = () => request.abort();
    const end = () => signal.removeEventListener('abort', abort);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener('load', () => {
      end();
      resolve({ status: request.status, text: request.responseText });
    });
    request.addEventListener('error', () => {
      end();
      reject(uploadError({ status: 0, code: 'no_response' }));
    });
    request.addEventListener('abort', () => {
      end();
      reject(uploadError({ status: 0, code: 'aborted' }));
    });
    signal.addEventListener('abort', abort);
    request.send(form);
  });
}
