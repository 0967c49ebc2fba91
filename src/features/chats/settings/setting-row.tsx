/** The toggle: one setting of a topic with its label, 'Blocked' or 'Allowed', the switch, and an explanation. */
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Check } from 'lucide-react';
import {
  type MouseEvent,
  type PointerEvent,
  type TouchEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';
import { Menu, MenuDots } from '#ui/menu';
import { Switch } from '#ui/switch';

import { allTopicsTexts, explanations } from '../message-type-texts.ts';
import { chatQueries } from '../queries.ts';
import { useChooseSetting } from '../setting-writes.ts';
import { useChangeSettings } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';

import styles from './settings.module.css';

const texts = chatTexts.settings;

/** How long a toggle refuses further presses. */
const lockMs = 150;

/** Settings that this version does not know have no explanation. */
const explanationByName = new Map(
  Object.entries(explanations).map(([type, text]) => [`${type}_blocked`, text]),
);

type SettingRowProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** The topic's title. */
  readonly topic: string;
  readonly name: string;
  readonly isBlocked: boolean;
  /** Whether the setting can be changed in all topics together. */
  readonly isForAll: boolean;
};

export function SettingRow({ isForAll, ...setting }: SettingRowProps) {
  return isForAll ? (
    <RowWithMenu {...setting} />
  ) : (
    <li className={styles.row}>
      <Toggle {...setting} />
    </li>
  );
}

type ToggleProps = Omit<SettingRowProps, 'isForAll'>;

function Toggle({ chatId, topicId, topic, name, isBlocked }: ToggleProps) {
  const stateId = useId();
  const [isLocked, setIsLocked] = useState(false);
  const choose = useChooseSetting({ chatId, topicId, name });
  const label = settingLabel(name);
  const explanation = explanationByName.get(name);

  return (
    <>
      <label className={styles.setting}>
        <span className={styles.label}>{label}</span>
        <span id={stateId} className={isBlocked ? styles.blocked : styles.allowed}>
          {isBlocked ? texts.blocked : texts.allowed}
        </span>
        <Switch
          tone="ume"
          aria-label={texts.toggle(label, topic)}
          aria-describedby={stateId}
          checked={isBlocked}
          isLocked={isLocked}
          onChange={(event) => {
            setIsLocked(true);
            setTimeout(() => setIsLocked(false), lockMs);
            choose(event.target.checked);
          }}
        />
      </label>
      {explanation !== undefined && <p className={styles.explanation}>{explanation}</p>}
    </>
  );
}

type Point = { readonly x: number; readonly y: number };

/** A row that can be held, or pressed with the right button, to change its setting in all topics. */
function RowWithMenu(setting: ToggleProps) {
  const { chatId, topic, name } = setting;
  const platform = usePlatform();
  const row = useRef<HTMLLIElement>(null);
  const [open, setOpen] = useState<{ readonly opener: HTMLElement; readonly point?: Point }>();
  const held = useHold((point) => {
    const opener = row.current?.querySelector('input');
    if (opener) {
      platform.haptic('medium');
      setOpen({ opener, point });
    }
  });
  const label = allTopicsTexts.menu(settingLabel(name), topic);

  return (
    <>
      <li ref={row} className={styles.row} {...held}>
        <Toggle {...setting} />
        <IconButton
          className={styles.rowMenu}
          label={label}
          icon={<MenuDots />}
          aria-haspopup="menu"
          aria-expanded={open !== undefined}
          onClick={({ currentTarget }) => setOpen({ opener: currentTarget })}
        />
      </li>
      {open && (
        <AllTopicsMenu
          {...open}
          chatId={chatId}
          name={name}
          label={label}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

type AllTopicsMenuProps = {
  readonly chatId: string;
  readonly name: string;
  readonly label: string;
  readonly opener: HTMLElement;
  readonly point?: Point;
  readonly onClose: () => void;
};

function AllTopicsMenu({ chatId, name, ...menu }: AllTopicsMenuProps) {
  const client = useQueryClient();
  const change = useChangeSettings();

  const setAll = (isBlocked: boolean) => {
    const topicIds = Object.keys(
      client.getQueryData(chatQueries.one(chatId).queryKey)?.topics ?? {},
    );
    const topics = Object.fromEntries(topicIds.map((id) => [id, { [name]: isBlocked }]));
    const toText = isBlocked ? allTopicsTexts.blocked : allTopicsTexts.allowed;
    void change({ chatId, kind: 'bulk', topics }, (count) => toText(settingLabel(name), count));
  };

  return (
    <Menu
      {...menu}
      items={[
        {
          text: allTopicsTexts.block,
          icon: <Ban aria-hidden size={20} />,
          onSelect: () => setAll(true),
        },
        {
          text: allTopicsTexts.allow,
          icon: <Check aria-hidden size={20} />,
          onSelect: () => setAll(false),
        },
      ]}
    />
  );
}

/** How long a finger rests on a row before its menu opens. */
const holdMs = 500;
/** A finger that moves further, in px, scrolls. */
const maxMove = 10;

/** The handlers of an element that can be held with a finger, or pressed with the right button of a mouse. */
function useHold(onHold: (point: Point) => void) {
  const hold = useRef<{ readonly from: Point; timer?: ReturnType<typeof setTimeout> }>(undefined);
  /** The finger is still down after the menu has opened: lifting it must not press the toggle. */
  const isHeld = useRef(false);
  const stop = () => clearTimeout(hold.current?.timer);
  useEffect(() => () => clearTimeout(hold.current?.timer), []);

  const open = (point: Point) => {
    stop();
    isHeld.current = true;
    onHold(point);
  };

  return {
    onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      stop();
      isHeld.current = false;
      hold.current = undefined;
      if (pointerType === 'touch') {
        hold.current = { from: { x, y }, timer: setTimeout(() => open({ x, y }), holdMs) };
      }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = hold.current?.from ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) > maxMove) {
        stop();
      }
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onTouchEnd: (event: TouchEvent) => {
      if (isHeld.current && event.cancelable) {
        event.preventDefault();
        isHeld.current = false;
      }
    },
    onTouchCancel: () => {
      isHeld.current = false;
    },
    onClickCapture: (event: MouseEvent) => {
      if (isHeld.current) {
        isHeld.current = false;
        event.preventDefault();
        event.stopPropagation();
      }
    },
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      // Some browsers send this for a finger, too, before or after the time is over.
      if (hold.current === undefined) {
        onHold({ x: event.clientX, y: event.clientY });
      } else if (!isHeld.current) {
        open(hold.current.from);
      }
    },
  };
}
