/** The text of a content: a plain text field, with its formatting drawn below the letters. */
import { Braces } from 'lucide-react';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

import { type FillingName, fillingNames } from '#contract/chats/fillings';
import { formatCount } from '#lib/format';
import {
  editText,
  findLink,
  isMarked,
  type MarkedText,
  type MarkName,
  type Range,
  replaceRange,
  type Switched,
  toggleMark,
  toRuns,
} from '#lib/marked-text';
import { MenuButton } from '#ui/menu';

import { LinkForm, Toolbar } from './text-tools.tsx';
import { editorTexts } from './texts.ts';

import styles from './editor.module.css';

const texts = editorTexts.text;

/** The keys of Telegram's own clients, with Ctrl or Cmd. */
const keys: Readonly<Record<string, MarkName>> = {
  b: 'bold',
  i: 'italic',
  u: 'underline',
  'shift+x': 'strikethrough',
  'shift+p': 'spoiler',
  'shift+m': 'code',
  'shift+.': 'blockquote',
};

/** Of the key in Latin letters, also on other keyboards. */
function readKey({ key, code, shiftKey }: KeyboardEvent): string {
  const letter = /^(?:[\u0021-\u007E]|Enter)$/.test(key) ? key : code.replace(/^Key/, '');
  return `${shiftKey ? 'shift+' : ''}${code === 'Period' ? '.' : letter.toLowerCase()}`;
}

type State = MarkedText & { readonly selection: Range };

/** Steps that "undo" goes back. */
const maxSteps = 100;
/** What is typed within this time is one step. */
const burstMs = 800;

const noneSwitched: Switched = new Map();

type TextPartProps = {
  readonly value: MarkedText;
  readonly max: number;
  readonly error: string | undefined;
  readonly fillings?: readonly FillingName[];
  readonly id: string;
  readonly onChange: (value: MarkedText) => void;
  /** By Ctrl+Enter. */
  readonly onSave: () => void;
};

export function TextPart({
  value,
  max,
  error,
  id,
  fillings = fillingNames,
  onChange,
  onSave,
}: TextPartProps) {
  const editing = useEditing(value, onChange);
  const { field, selection, switched } = editing;
  const [linked, setLinked] = useState<Range>();
  const isOn = (name: MarkName) => switched.get(name) ?? isMarked(value, selection, name);
  const openLink = () => {
    const range = editing.readSelection();
    setLinked(findLink(value, range) ?? range);
  };
  const closeLink = () => {
    setLinked(undefined);
    field.current?.focus();
  };

  const press = (event: KeyboardEvent) => {
    const act = getShortcut(event, editing, { openLink, onSave });
    if (act) {
      event.preventDefault();
      act();
    }
  };

  return (
    <>
      <div className={styles.tools}>
        <Toolbar
          isOn={isOn}
          isLink={findLink(value, selection) !== undefined}
          onToggle={editing.toggle}
          onLink={openLink}
        />
        <MenuButton
          label={texts.fillings}
          icon={<Braces aria-hidden size={20} />}
          className={styles.fillings}
          items={() =>
            fillings.map((name) => ({
              text: `{${name}}`,
              remark: texts.filling[name],
              onSelect: () => editing.insert(`{${name}}`),
            }))
          }
        />
      </div>
      {linked && (
        <LinkForm
          value={value}
          range={linked}
          onClose={closeLink}
          onSet={(changed) => {
            editing.replace(changed);
            closeLink();
          }}
        />
      )}
      <div className={styles.field}>
        <Mirror value={value} />
        <textarea
          ref={field}
          id={id}
          dir="auto"
          aria-label={texts.label}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? `${id}-count` : `${id}-error ${id}-count`}
          value={value.text}
          rows={4}
          onChange={({ target }) => editing.type(target.value, target.selectionEnd)}
          onSelect={editing.onSelect}
          onKeyDown={press}
        />
      </div>
      <Counter id={id} length={value.text.trim().length} max={max} error={error} />
    </>
  );
}

type Shortcuts = { readonly openLink: () => void; readonly onSave: () => void };

/** What a key does together with Ctrl or Cmd. */
function getShortcut(
  event: KeyboardEvent,
  { toggle, goBack }: Pick<ReturnType<typeof useEditing>, 'toggle' | 'goBack'>,
  { openLink, onSave }: Shortcuts,
): (() => void) | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) {
    return undefined;
  }
  const key = readKey(event);
  const mark = keys[key];
  const others: Readonly<Record<string, () => void>> = {
    k: openLink,
    z: () => goBack('undo'),
    y: () => goBack('redo'),
    'shift+z': () => goBack('redo'),
    enter: onSave,
  };
  return mark === undefined ? others[key] : () => toggle(mark);
}

type CounterProps = Pick<TextPartProps, 'id' | 'max' | 'error'> & { readonly length: number };

function Counter({ id, length, max, error }: CounterProps) {
  return (
    <div className={styles.under}>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={styles.error}>
          {error}
        </p>
      )}
      <span id={`${id}-count`} className={length > max ? styles.over : undefined}>
        <span className="visually-hidden">{texts.count(length, max)}</span>
        <span aria-hidden>
          {formatCount(length)} / {formatCount(max)}
        </span>
      </span>
    </div>
  );
}

/** What is typed, marked and inserted, with its own undo: the browser's knows nothing of the formatting. */
function useEditing(value: MarkedText, onChange: (value: MarkedText) => void) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [selection, setSelection] = useState<Range>({ from: 0, to: 0 });
  const [switched, setSwitched] = useState(noneSwitched);
  /** Where the caret goes once the field has the new text. */
  const wanted = useRef<Range>(undefined);
  const past = useRef<State[]>([]);
  const future = useRef<State[]>([]);
  const typedAt = useRef(0);

  useLayoutEffect(() => {
    if (wanted.current !== undefined) {
      field.current?.setSelectionRange(wanted.current.from, wanted.current.to);
      wanted.current = undefined;
    }
  });

  const readSelection = (): Range => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    return { from: selectionStart, to: selectionEnd };
  };
  const remember = () => {
    past.current = [...past.current.slice(1 - maxSteps), { ...value, selection }];
    future.current = [];
  };
  const show = (next: MarkedText, range: Range) => {
    wanted.current = range;
    setSelection(range);
    setSwitched(noneSwitched);
    onChange(next);
  };
  const replace = (next: MarkedText, range = readSelection()) => {
    remember();
    typedAt.current = 0;
    show(next, range);
  };
  const goBack = (direction: 'undo' | 'redo') => {
    const [from, to] = direction === 'undo' ? [past, future] : [future, past];
    const step = from.current.pop();
    if (step !== undefined) {
      to.current.push({ ...value, selection: readSelection() });
      typedAt.current = 0;
      show({ text: step.text, entities: step.entities }, step.selection);
    }
  };
  useBrowserUndo(field, goBack);

  return {
    field,
    selection,
    switched,
    readSelection,
    replace,
    goBack,
    type: (text: string, caret: number) => {
      const now = Date.now();
      if (now - typedAt.current > burstMs) {
        remember();
      }
      typedAt.current = now;
      setSelection({ from: caret, to: caret });
      setSwitched(noneSwitched);
      onChange(editText(value, { text, caret, switched }));
    },
    /** Formats the selection; without one, what is typed next. */
    toggle: (name: MarkName) => {
      const range = readSelection();
      if (range.from !== range.to || name === 'blockquote') {
        replace(toggleMark(value, range, name), range);
      } else {
        setSelection(range);
        const isOn = switched.get(name) ?? isMarked(value, range, name);
        setSwitched(new Map([...switched, [name, !isOn]]));
      }
    },
    insert: (text: string) => {
      const range = readSelection();
      const caret = range.from + text.length;
      replace(replaceRange(value, range, text), { from: caret, to: caret });
      field.current?.focus();
    },
    onSelect: () => {
      const now = readSelection();
      if (now.from !== selection.from || now.to !== selection.to) {
        setSelection(now);
        setSwitched(noneSwitched);
      }
    },
  };
}

/** Menus of phones and of browsers undo, too. */
function useBrowserUndo(
  field: RefObject<HTMLTextAreaElement | null>,
  goBack: (direction: 'undo' | 'redo') => void,
): void {
  const goBackNow = useEffectEvent(goBack);

  useEffect(() => {
    const element = field.current;
    const listen = (event: InputEvent) => {
      if (event.inputType === 'historyUndo' || event.inputType === 'historyRedo') {
        event.preventDefault();
        goBackNow(event.inputType === 'historyUndo' ? 'undo' : 'redo');
      }
    };
    element?.addEventListener('beforeinput', listen);
    return () => element?.removeEventListener('beforeinput', listen);
  }, [field]);
}

const filling = new RegExp(`(\\{(?:${fillingNames.join('|')})\\})`);

/**
 * The same text in the same letters, below those of the field: it shows what is formatted, and makes the field as
 * high as its text.
 */
function Mirror({ value }: { readonly value: MarkedText }) {
  return (
    <div aria-hidden dir="auto" className={styles.mirror}>
      {toRuns(value.text, value.entities).map(({ from, text, types }) => (
        <span key={from} className={[...types].map((type) => styles[type]).join(' ')}>
          {text.split(filling).map((part, index) =>
            filling.test(part) ? (
              // oxlint-disable-next-line react/no-array-index-key -- A part has no other identity than its position.
              <mark key={index}>{part}</mark>
            ) : (
              part
            ),
          )}
        </span>
      ))}
      {/* A last empty line has no height otherwise. */}
      {'\u200B'}
    </div>
  );
}
