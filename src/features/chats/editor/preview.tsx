/** How a content looks in Telegram: a message of the bot, in the shape of the platform. */
import { File, Film, Image, Mic, Music, Smile } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';

import { type ContentBody, type MediaKind } from '#contract/chats/contents';
import { type FilledEntity, fillText } from '#contract/chats/fillings';
import { type Chat } from '#contract/endpoints/chats';
import { brand } from '#lib/brand';
import { useCapabilities } from '#lib/capabilities';
import { type Run, toRuns } from '#lib/marked-text';
import { usePlatform } from '#lib/platform';

import { chatTitle } from '../names.ts';
import { summaryTexts } from './summary-texts.ts';
import { editorTexts } from './texts.ts';

import styles from './preview.module.css';

const texts = editorTexts.preview;

export const mediaIcons = {
  photo: Image,
  video: Film,
  animation: Film,
  audio: Music,
  voice: Mic,
  document: File,
  sticker: Smile,
  video_note: Film,
} as const satisfies Record<MediaKind, unknown>;

/** Media that are seen, and not only named. */
const shownMedia: ReadonlySet<MediaKind> = new Set([
  'photo',
  'video',
  'animation',
  'sticker',
  'video_note',
]);

type PreviewProps = {
  readonly chat: Chat;
  readonly body: ContentBody;
  /** The attached file, as long as the page has it. */
  readonly fileUrl: string | undefined;
};

export function Preview({ chat, body, fileUrl }: PreviewProps) {
  const { botUsername } = useCapabilities();
  const { launch } = usePlatform();
  const { text, entities } = fillText(body, {
    people: [
      {
        id: Number(launch.telegramId ?? 123_456_789),
        first_name: launch.firstName ?? texts.person,
      },
    ],
    chatName: chatTitle(chat),
    count: 128,
    rules: { label: texts.rules, url: 'https://t.me' },
  });
  const isEmpty = text.trim() === '' && body.media === undefined;

  return (
    <figure className={styles.wallpaper} aria-label={texts.label}>
      <div className={styles.message}>
        <div className={styles.bubble}>
          <p className={styles.author}>
            <bdi>{botUsername ?? brand.name}</bdi>
          </p>
          {body.media && <Medium kind={body.media.kind} fileUrl={fileUrl} />}
          {isEmpty ? (
            <p className={`${styles.text} ${styles.empty}`}>{texts.empty}</p>
          ) : (
            <div className={styles.text}>
              <FormattedText text={text} entities={entities} />
              <span aria-hidden className={styles.time}>
                {texts.time}
              </span>
            </div>
          )}
        </div>
        {body.buttons.map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- A row has no other identity than its position.
          <div key={index} className={styles.row}>
            {row.map(({ label, url }, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- The same of a button.
              <span key={place} className={url === undefined ? styles.button : styles.linkButton}>
                <bdi>{label}</bdi>
              </span>
            ))}
          </div>
        ))}
      </div>
    </figure>
  );
}

function Medium({
  kind,
  fileUrl,
}: {
  readonly kind: MediaKind;
  readonly fileUrl: string | undefined;
}) {
  const Icon = mediaIcons[kind];
  if (fileUrl !== undefined && kind === 'photo') {
    return <img className={styles.picture} src={fileUrl} alt={summaryTexts.kinds.photo} />;
  }
  if (fileUrl !== undefined && (kind === 'video' || kind === 'animation')) {
    return (
      <video className={styles.picture} src={fileUrl} muted playsInline preload="metadata">
        <track kind="captions" />
      </video>
    );
  }
  return (
    <div className={shownMedia.has(kind) ? styles.medium : styles.file}>
      <Icon aria-hidden size={28} />
      <span>{summaryTexts.kinds[kind]}</span>
    </div>
  );
}

const blocks = ['blockquote', 'expandable_blockquote', 'pre'];

type FormattedTextProps = {
  readonly text: string;
  readonly entities: readonly FilledEntity[];
};

/** Quotes and code of several lines stand on lines of their own. */
function FormattedText({ text, entities }: FormattedTextProps) {
  const groups: { readonly block: string | undefined; readonly runs: Run[] }[] = [];
  for (const run of toRuns(text, entities)) {
    const block = blocks.find((type) => run.types.has(type));
    const last = groups.at(-1);
    if (last?.block === block && last !== undefined) {
      last.runs.push(run);
    } else {
      groups.push({ block, runs: [run] });
    }
  }
  return groups.map(({ block, runs }, index) => {
    const content = runs.map((run) => <RunText key={run.from} run={run} />);
    const key = runs[0]?.from ?? index;
    if (block === 'pre') {
      return (
        <pre key={key} className={styles.pre}>
          {content}
        </pre>
      );
    }
    return block === undefined ? (
      <Fragment key={key}>
        {trimAround(runs, groups[index - 1]?.block, groups[index + 1]?.block)}
      </Fragment>
    ) : (
      <blockquote key={key} className={styles.quote}>
        {content}
      </blockquote>
    );
  });
}

/** The break beside a block is that of the block. */
function trimAround(
  runs: readonly Run[],
  before: string | undefined,
  after: string | undefined,
): readonly ReactNode[] {
  return runs.map((run, index) => {
    const start = index === 0 && before !== undefined ? run.text.replace(/^\n/, '') : run.text;
    const isLast = index === runs.length - 1 && after !== undefined;
    const text = isLast ? start.replace(/\n$/, '') : start;
    return <RunText key={run.from} run={{ ...run, text }} />;
  });
}

const tags = {
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
  code: 'code',
} as const;

function RunText({ run }: { readonly run: Run }) {
  const { text, types } = run;
  let content: ReactNode = text;
  for (const [type, Tag] of Object.entries(tags)) {
    if (types.has(type)) {
      content = <Tag>{content}</Tag>;
    }
  }
  const isLink = types.has('text_link') || types.has('text_mention');
  const classes = [isLink && styles.link, types.has('spoiler') && styles.spoiler].filter(Boolean);
  return classes.length === 0 ? content : <span className={classes.join(' ')}>{content}</span>;
}
