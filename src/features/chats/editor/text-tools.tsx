/** The buttons above the text, and the address of a link. */
import { Bold, Code, EyeOff, Italic, Link, Quote, Strikethrough, Underline } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

import {
  findLink,
  type MarkedText,
  type MarkName,
  type Range,
  replaceRange,
  setLink,
} from '#lib/marked-text';
import { Button, IconButton } from '#ui/button';
import { Field } from '#ui/field';

import { toUrl } from './draft.ts';
import { editorTexts } from './texts.ts';

import chat from '../chats.module.css';
import sections from '../sections/sections.module.css';
import styles from './editor.module.css';

const texts = editorTexts.text;

const icons = {
  bold: Bold,
  italic: Italic,
  underline: Underline,
  strikethrough: Strikethrough,
  spoiler: EyeOff,
  blockquote: Quote,
  code: Code,
  link: Link,
} as const satisfies Record<MarkName | 'link', unknown>;

/** What is used most stands first: on a phone not all are in view. */
const tools = [
  'bold',
  'italic',
  'link',
  'blockquote',
  'spoiler',
  'underline',
  'strikethrough',
  'code',
] as const satisfies readonly (MarkName | 'link')[];

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl+';

const shownKeys: Readonly<Record<MarkName | 'link', string>> = {
  bold: 'B',
  italic: 'I',
  underline: 'U',
  strikethrough: 'Shift+X',
  spoiler: 'Shift+P',
  code: 'Shift+M',
  blockquote: 'Shift+.',
  link: 'K',
};

type ToolbarProps = {
  readonly isOn: (name: MarkName) => boolean;
  readonly isLink: boolean;
  readonly onToggle: (name: MarkName) => void;
  readonly onLink: () => void;
};

/** One stop of the Tab key: the arrow keys go from button to button. */
export function Toolbar({ isOn, isLink, onToggle, onLink }: ToolbarProps) {
  const [reached, setReached] = useState<MarkName | 'link'>('bold');

  const tool = (name: MarkName | 'link', icon: ReactNode, isPressed: boolean) => (
    <IconButton
      key={name}
      label={texts.withKey(texts[name], modifier + shownKeys[name])}
      icon={icon}
      className={styles.tool}
      tabIndex={name === reached ? 0 : -1}
      aria-pressed={isPressed}
      onFocus={() => setReached(name)}
      onClick={() => (name === 'link' ? onLink() : onToggle(name))}
    />
  );

  return (
    <div
      role="toolbar"
      tabIndex={-1}
      aria-label={texts.toolbar}
      className={styles.toolbar}
      onKeyDown={moveInToolbar}
      // The field keeps the focus, and a phone its keyboard.
      onMouseDown={(event) => event.preventDefault()}
    >
      {tools.map((name) => {
        const Icon = icons[name];
        return tool(name, <Icon aria-hidden size={20} />, name === 'link' ? isLink : isOn(name));
      })}
    </div>
  );
}

function moveInToolbar(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: isRtl ? -1 : 1,
    ArrowLeft: isRtl ? 1 : -1,
    Home: -at,
    End: buttons.length - 1 - at,
  };
  const step = steps[event.key];
  if (step !== undefined) {
    event.preventDefault();
    buttons.at((at + step) % buttons.length)?.focus();
  }
}

type LinkFormProps = {
  readonly value: MarkedText;
  readonly range: Range;
  readonly onSet: (value: MarkedText) => void;
  readonly onClose: () => void;
};

/** The address of a link, and its text where none is selected. */
export function LinkForm({ value, range, onSet, onClose }: LinkFormProps) {
  const { linking, problems } = editorTexts;
  const id = useId();
  const former = findLink(value, range);
  const isNew = range.from === range.to;
  const [words, setWords] = useState('');
  const [address, setAddress] = useState(former?.url ?? '');
  const [error, setError] = useState<'words' | 'address'>();
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    form.current?.querySelector('input')?.focus();
  }, []);

  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Closes the form, and not the editor around it.
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  };

  function set() {
    const url = toUrl(address);
    const problem =
      isNew && words.trim() === '' ? 'words' : url === undefined ? 'address' : undefined;
    setError(problem);
    if (problem !== undefined) {
      document.getElementById(`${id}-${problem}`)?.focus();
      return;
    }
    const text = words.trim();
    const inserted = isNew ? replaceRange(value, range, text) : value;
    onSet(
      setLink(inserted, isNew ? { from: range.from, to: range.from + text.length } : range, url),
    );
  }

  return (
    <form
      ref={form}
      noValidate
      className={sections.inset}
      onSubmit={(event) => {
        event.preventDefault();
        set();
      }}
    >
      {isNew && (
        <Field
          id={`${id}-words`}
          label={linking.words}
          value={words}
          error={error === 'words' ? problems.noWords : undefined}
          dir="auto"
          onKeyDown={leave}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      <Field
        id={`${id}-address`}
        label={linking.address}
        hint={linking.hint}
        error={error === 'address' ? problems.noAddress : undefined}
        value={address}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onKeyDown={leave}
        onChange={({ target }) => setAddress(target.value)}
      />
      <div className={chat.actions}>
        <Button kind="quiet" onClick={onClose}>
          {linking.cancel}
        </Button>
        {former && (
          <Button onClick={() => onSet(setLink(value, former, undefined))}>{linking.remove}</Button>
        )}
        <Button kind="plain" type="submit">
          {linking.set}
        </Button>
      </div>
    </form>
  );
}
