/** The editor of a content: text with formatting, a medium, buttons, and how all of it looks in Telegram. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';

import { saveContent } from '#contract/endpoints/chat-contents';
import { call, errorText } from '#lib/api';
import { usePlatform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { Section } from '#ui/section';

import { handleLostAccess } from '../failed-writes.ts';
import { chatTexts } from '../texts.ts';
import { cacheContents } from '../value-writes.ts';
import { ButtonsPart } from './button-part.tsx';
import { findProblems, isSameDraft, maxLength, type Problems, toBody, toMarked } from './draft.ts';
import { Preview } from './preview.tsx';
import { FromTelegram, MediaPart } from './sources.tsx';
import { TextPart } from './text-part.tsx';
import { editorTexts as texts } from './texts.ts';
import { type ContentEditorProps, useClosing, useWriting, type Writing } from './writing.ts';

import sections from '../sections/sections.module.css';
import styles from './editor.module.css';

const noProblems: Problems = { text: undefined, buttons: new Map() };

export function ContentEditor(props: ContentEditorProps) {
  const { chat, title, onClose } = props;
  const id = useId();
  const content = useRef<HTMLDivElement>(null);
  const [openButton, setOpenButton] = useState<string>();
  const file = useFileUrl();
  const writing = useWriting(props);
  const saving = useSaving(props, writing, { id, onOpenButton: setOpenButton });
  const close = useClosing(writing, onClose);

  useEffect(() => {
    // A phone would show its keyboard for a field.
    content.current?.focus({ preventScroll: true });
  }, []);

  return (
    <Dialog
      title={title}
      isOpen
      isSheet
      onClose={close}
      actions={
        <>
          <Button kind="quiet" onClick={close}>
            {chatTexts.cancel}
          </Button>
          <Button kind="primary" isBusy={saving.isBusy} onClick={saving.save}>
            {saving.isBusy ? texts.saving : texts.save}
          </Button>
        </>
      }
    >
      <div ref={content} tabIndex={-1} className={styles.editor}>
        <div className={sections.column}>
          <DraftNotice writing={writing} error={saving.error} />
          <Fields
            {...props}
            {...{ id, writing, saving, openButton }}
            onOpenButton={setOpenButton}
            onFile={file.set}
          />
          {props.options}
          <FromTelegram {...props} writing={writing} />
        </div>
        <Section
          className={styles.preview}
          heading={texts.preview.heading}
          headingLevel={3}
          foot={texts.preview.foot}
        >
          <Preview chat={chat} body={toBody(writing.draft)} fileUrl={file.url} />
        </Section>
      </div>
    </Dialog>
  );
}

type FieldsProps = ContentEditorProps & {
  /** The prefix of the IDs of the fields. */
  readonly id: string;
  readonly writing: Writing;
  readonly saving: ReturnType<typeof useSaving>;
  readonly openButton: string | undefined;
  readonly onOpenButton: (id: string | undefined) => void;
  readonly onFile: (file: File | undefined) => void;
};

function Fields({
  id,
  chat,
  kind,
  keyField,
  extras,
  fillings,
  writing,
  saving,
  openButton,
  onOpenButton,
  onFile,
}: FieldsProps) {
  const { draft, change } = writing;
  const { problems } = saving;
  return (
    <>
      {keyField && (
        <Field
          id={`${id}-key`}
          label={keyField.label}
          hint={keyField.hint}
          error={saving.keyError}
          value={writing.key}
          dir="auto"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => writing.setKey(target.value)}
        />
      )}
      {extras}
      <Section className={styles.text}>
        <TextPart
          id={`${id}-text`}
          value={toMarked(draft)}
          max={maxLength(kind, draft)}
          error={problems.text}
          onSave={saving.save}
          {...(fillings && { fillings })}
          onChange={({ text, entities }) => change({ ...draft, text, entities: [...entities] })}
        />
      </Section>
      <MediaPart
        chatId={chat.chat_id}
        media={draft.media}
        onChange={(attached) => {
          onFile(attached?.file);
          // The text may have changed since the upload began.
          change((now) => ({ ...now, media: attached?.media }));
        }}
      />
      <ButtonsPart
        rows={draft.rows}
        problems={problems.buttons}
        open={openButton}
        onOpen={onOpenButton}
        onChange={(rows) => change({ ...draft, rows: rows.map((row) => [...row]) })}
      />
    </>
  );
}

/** The address of the attached file, for the preview; Telegram shows none to others. */
function useFileUrl() {
  const [url, setUrl] = useState<string>();
  useEffect(() => (url === undefined ? undefined : () => URL.revokeObjectURL(url)), [url]);
  return {
    url,
    set: (file: File | undefined) => setUrl(file && URL.createObjectURL(file)),
  };
}

type SavingParts = {
  /** The prefix of the IDs of the fields. */
  readonly id: string;
  readonly onOpenButton: (id: string | undefined) => void;
};

/** Saves what is written, once nothing is wrong with it. The content is new, as contents never change. */
function useSaving(props: ContentEditorProps, writing: Writing, { id, onOpenButton }: SavingParts) {
  const { chat, kind, keyField, contentId, onSave, onClose } = props;
  const { chat_id: chatId } = chat;
  const { draft, base, key } = writing;
  const client = useQueryClient();
  const platform = usePlatform();
  const [isTried, setIsTried] = useState(false);
  const [error, setError] = useState<string>();
  const found = findProblems(kind, draft);
  const finalKey = keyField?.toKey(key) ?? '';
  const keyError = keyField?.check(finalKey);

  const sending = useAction(async (signal) => {
    setError(undefined);
    try {
      // Of a note, the name or what it is for may have changed alone.
      const isSame = contentId !== undefined && isSameDraft(draft, base);
      const saved = isSame ? contentId : await send(signal);
      if (!signal.aborted) {
        platform.haptic('success');
        onSave({ contentId: saved, key: finalKey });
        onClose();
      }
    } catch (failure) {
      if (!signal.aborted && !handleLostAccess(chatId, failure)) {
        platform.haptic('error');
        setError(errorText(failure, texts.saveFailed));
      }
    }
  });

  async function send(signal: AbortSignal): Promise<string> {
    const body = toBody(draft);
    const { id: saved } = await call(saveContent, { chat_id: chatId, body }, signal);
    cacheContents(client, chatId, { [saved]: body });
    writing.markSaved(saved);
    return saved;
  }

  return {
    isBusy: sending.isBusy,
    error,
    problems: isTried ? found : noProblems,
    keyError: isTried ? keyError : undefined,
    save: () => {
      setIsTried(true);
      const [wrongButton] = [...found.buttons.keys()];
      if (keyError !== undefined) {
        document.getElementById(`${id}-key`)?.focus();
      } else if (found.text !== undefined) {
        // Else the form of a wrong button would take the focus.
        onOpenButton(undefined);
        document.getElementById(`${id}-text`)?.focus();
      } else if (wrongButton !== undefined) {
        // Its form takes the focus.
        onOpenButton(wrongButton);
      } else {
        sending.run();
        return;
      }
      platform.haptic('error');
    },
  };
}

type DraftNoticeProps = { readonly writing: Writing; readonly error: string | undefined };

/** Why it was not saved, and where what is shown comes from. */
function DraftNotice({ writing, error }: DraftNoticeProps) {
  const { isDirty, isRestored, isLasting, discard } = writing;
  return (
    <div aria-live="polite" className={styles.notices}>
      {error !== undefined && (
        <Notice tone="error" isInLiveRegion>
          {error}
        </Notice>
      )}
      {isRestored && (
        <Notice
          tone="info"
          isInLiveRegion
          action={<Button onClick={discard}>{texts.draft.discard}</Button>}
        >
          {texts.draft.restored}
        </Notice>
      )}
      {isDirty && !isLasting && (
        <Notice tone="warning" isInLiveRegion>
          {texts.draft.notLasting}
        </Notice>
      )}
    </div>
  );
}
