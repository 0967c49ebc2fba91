/** The buttons of a content, as they stand below the message. */
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Plus, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';

import { contentLimits } from '#contract/chats/contents';
import { Button, IconButton } from '#ui/button';
import { Field } from '#ui/field';
import { Cell, Section } from '#ui/section';
import { SelectField } from '#ui/select-field';

import { type ButtonProblem, type DraftButton, newButton, targets } from './draft.ts';
import { editorTexts } from './texts.ts';

import sections from '../sections/sections.module.css';
import styles from './editor.module.css';

const { buttons: texts } = editorTexts;

type Rows = readonly (readonly DraftButton[])[];

type ButtonsPartProps = {
  readonly rows: Rows;
  readonly problems: ReadonlyMap<string, ButtonProblem>;
  /** The button that is being edited. */
  readonly open: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly onChange: (rows: Rows) => void;
};

/** The buttons as they stand below the message; a chosen one is edited below them. */
export function ButtonsPart({ rows, problems, open, onOpen, onChange }: ButtonsPartProps) {
  const keyboard = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState('');
  const place = findPlace(rows, open);
  const edited = place && rows[place.row]?.[place.column];
  const isFull = rows.flat().length >= contentLimits.buttons;

  const add = (row: number) => {
    const button = newButton();
    const wanted = rows.length === row ? [...rows, []] : rows;
    onChange(wanted.with(row, (wanted[row] ?? []).concat(button)));
    onOpen(button.id);
  };
  const move = (id: string, direction: Direction) => {
    const next = moveButton(rows, id, direction);
    const now = next && findPlace(next, id);
    if (next && now) {
      onChange(next);
      setMoved(texts.moved(now.row + 1, now.column + 1));
    }
  };
  const close = () => {
    onOpen(undefined);
    focusButton(keyboard, open);
  };

  return (
    <Section
      heading={texts.heading}
      headingLevel={3}
      foot={isFull ? texts.full(contentLimits.buttons) : rows.length > 0 && texts.about}
    >
      <div ref={keyboard} className={styles.keyboard}>
        {rows.map((row, index) => (
          <Row
            key={row.map(({ id }) => id).join(' ')}
            {...{ row, index, problems, open, isFull, onOpen }}
            onAdd={() => add(index)}
            onMove={(id, direction) => {
              move(id, direction);
              focusButton(keyboard, id);
            }}
          />
        ))}
      </div>
      {edited && (
        <ButtonForm
          key={edited.id}
          button={edited}
          problem={problems.get(edited.id)}
          canMove={(direction) => moveButton(rows, edited.id, direction) !== undefined}
          onMove={(direction) => move(edited.id, direction)}
          onChange={(changed) =>
            onChange(rows.map((row) => row.map((one) => (one.id === edited.id ? changed : one))))
          }
          onRemove={() => {
            onOpen(undefined);
            onChange(without(rows, edited.id));
          }}
          onDone={close}
        />
      )}
      <output className="visually-hidden">{moved}</output>
      {!isFull && (
        <Cell
          tone="accent"
          before={<Plus size={20} />}
          title={texts.add}
          onClick={() => add(rows.length)}
        />
      )}
    </Section>
  );
}

type RowProps = Pick<ButtonsPartProps, 'problems' | 'open' | 'onOpen'> & {
  readonly row: readonly DraftButton[];
  readonly index: number;
  readonly isFull: boolean;
  readonly onAdd: () => void;
  readonly onMove: (id: string, direction: Direction) => void;
};

function Row({ row, index, problems, open, isFull, onOpen, onAdd, onMove }: RowProps) {
  const press = (event: KeyboardEvent, id: string) => {
    const direction = readDirection(event);
    if (direction !== undefined) {
      event.preventDefault();
      onMove(id, direction);
    }
  };
  return (
    <div className={styles.buttonRow}>
      {row.map(({ id, label }, column) => (
        <button
          key={id}
          type="button"
          data-button={id}
          className={problems.has(id) ? styles.wrongKey : styles.key}
          aria-label={texts.name(label.trim() || texts.untitled, index + 1, column + 1)}
          aria-expanded={id === open}
          title={texts.keys}
          onClick={() => onOpen(id === open ? undefined : id)}
          onKeyDown={(event) => press(event, id)}
        >
          <bdi>{label.trim() || texts.untitled}</bdi>
        </button>
      ))}
      {!isFull && !isWhole(row) && (
        <IconButton
          label={texts.addToRow(index + 1)}
          icon={<Plus aria-hidden size={18} />}
          className={styles.addKey}
          onClick={onAdd}
        />
      )}
    </div>
  );
}

/** After the page has drawn the button in its new place. */
function focusButton(keyboard: RefObject<HTMLElement | null>, id: string | undefined): void {
  requestAnimationFrame(() =>
    keyboard.current?.querySelector<HTMLElement>(`[data-button="${id ?? ''}"]`)?.focus(),
  );
}

type Direction = 'earlier' | 'later' | 'up' | 'down';

function readDirection({ key, altKey, currentTarget }: KeyboardEvent): Direction | undefined {
  const isRtl = getComputedStyle(currentTarget).direction === 'rtl';
  const directions: Readonly<Record<string, Direction>> = {
    ArrowLeft: isRtl ? 'later' : 'earlier',
    ArrowRight: isRtl ? 'earlier' : 'later',
    ArrowUp: 'up',
    ArrowDown: 'down',
  };
  return altKey ? directions[key] : undefined;
}

function findPlace(rows: Rows, id: string | undefined) {
  const row = rows.findIndex((one) => one.some((button) => button.id === id));
  const column = rows[row]?.findIndex((button) => button.id === id);
  return column === undefined ? undefined : { row, column };
}

const without = (rows: Rows, id: string): Rows =>
  rows.map((row) => row.filter((button) => button.id !== id)).filter((row) => row.length > 0);

type Place = { readonly row: number; readonly column: number };

/** Undefined where there is no such place. */
function moveButton(rows: Rows, id: string, direction: Direction): Rows | undefined {
  const place = findPlace(rows, id);
  if (place === undefined) {
    return undefined;
  }
  return direction === 'earlier' || direction === 'later'
    ? moveInRow(rows, place, direction === 'later' ? 1 : -1)
    : moveAcross(rows, place, direction === 'down' ? 1 : -1);
}

function moveInRow(rows: Rows, { row, column }: Place, by: 1 | -1): Rows | undefined {
  const buttons = rows[row] ?? [];
  const [button, other] = [buttons[column], buttons[column + by]];
  return button && other && rows.with(row, buttons.with(column, other).with(column + by, button));
}

/** Into the row beside it, or out of a shared row into one of its own at the edge. */
function moveAcross(rows: Rows, { row, column }: Place, by: 1 | -1): Rows | undefined {
  const buttons = rows[row] ?? [];
  const button = buttons[column];
  const next = rows[row + by];
  const isStuck = next === undefined ? buttons.length === 1 : isWhole(next);
  if (button === undefined || isStuck) {
    return undefined;
  }
  const left = rows.with(row, buttons.toSpliced(column, 1));
  const moved =
    next === undefined
      ? left.toSpliced(by === 1 ? left.length : 0, 0, [button])
      : left.with(row + by, next.toSpliced(column, 0, button));
  return moved.filter((one) => one.length > 0);
}

const isWhole = (row: readonly DraftButton[]) => row.length >= contentLimits.buttonsInRow;

type ButtonFormProps = {
  readonly button: DraftButton;
  readonly problem: ButtonProblem | undefined;
  readonly canMove: (direction: Direction) => boolean;
  readonly onMove: (direction: Direction) => void;
  readonly onChange: (button: DraftButton) => void;
  readonly onRemove: () => void;
  readonly onDone: () => void;
};

const arrows = [
  ['earlier', ArrowLeft],
  ['later', ArrowRight],
  ['up', ArrowUp],
  ['down', ArrowDown],
] as const satisfies readonly (readonly [Direction, unknown])[];

function ButtonForm({
  button,
  problem,
  canMove,
  onMove,
  onChange,
  onRemove,
  onDone,
}: ButtonFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const errorIn = (field: ButtonProblem['field']) =>
    problem?.field === field ? problem.text : undefined;
  const wrongField = problem?.field;

  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>(
      wrongField === undefined ? 'input' : `[data-field="${wrongField}"]`,
    );
    field?.focus();
  }, [wrongField]);

  return (
    <form
      ref={form}
      noValidate
      aria-label={texts.edit(button.label.trim() || texts.untitled)}
      className={`${sections.inset} ${styles.buttonForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
      }}
    >
      <Field
        data-field="label"
        label={texts.label}
        value={button.label}
        error={errorIn('label')}
        dir="auto"
        maxLength={contentLimits.label}
        onChange={({ target }) => onChange({ ...button, label: target.value })}
      />
      <Target {...{ id, button, errorIn, onChange }} />
      <div className={styles.buttonTools}>
        {arrows.map(([direction, Arrow]) => (
          <IconButton
            key={direction}
            label={texts[direction]}
            icon={<Arrow aria-hidden size={20} />}
            aria-disabled={!canMove(direction)}
            onClick={() => onMove(direction)}
          />
        ))}
        <IconButton
          label={texts.remove}
          icon={<Trash2 aria-hidden size={20} />}
          className={styles.removeKey}
          onClick={onRemove}
        />
        <Button type="submit">{texts.done}</Button>
      </div>
    </form>
  );
}

type TargetProps = Pick<ButtonFormProps, 'button' | 'onChange'> & {
  readonly id: string;
  readonly errorIn: (field: ButtonProblem['field']) => string | undefined;
};

/** Where a button leads. */
function Target({ id, button, errorIn, onChange }: TargetProps) {
  const typed = {
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
  } as const;
  return (
    <>
      <SelectField
        label={texts.leadsTo}
        value={button.leadsTo}
        onChange={(value) =>
          onChange({ ...button, leadsTo: targets.find((name) => name === value) ?? 'url' })
        }
      >
        {targets.map((name) => (
          <option key={name} value={name}>
            {texts.targets[name]}
          </option>
        ))}
      </SelectField>
      {button.leadsTo === 'url' && (
        <Field
          {...typed}
          data-field="url"
          id={`${id}-url`}
          label={texts.address}
          hint={texts.addressHint}
          value={button.url}
          error={errorIn('url')}
          dir="ltr"
          inputMode="url"
          onChange={({ target }) => onChange({ ...button, url: target.value })}
        />
      )}
      {button.leadsTo === 'note' && (
        <Field
          {...typed}
          data-field="note"
          id={`${id}-note`}
          label={texts.note}
          hint={texts.noteHint}
          value={button.note}
          error={errorIn('note')}
          dir="auto"
          onChange={({ target }) => onChange({ ...button, note: target.value.toLowerCase() })}
        />
      )}
    </>
  );
}
