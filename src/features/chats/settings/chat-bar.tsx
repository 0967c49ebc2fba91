/** The bar above a chat's settings: the way back, the chat, its state, and a menu of all that is seldom needed. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  ArrowLeft,
  Ban,
  Bot,
  ChartColumn,
  CircleAlert,
  CircleCheck,
  Info,
  Copy,
  History,
  Languages,
  Plus,
  RefreshCw,
  ShieldAlert,
  SlidersHorizontal,
} from 'lucide-react';
import { type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';

import { chatActivity, type ChatHealth } from '#contract/endpoints/chat-activity';
import { chatNumbers } from '#contract/endpoints/chat-numbers';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { dashboardPaths } from '#lib/paths';
import { useAction } from '#lib/use-action';
import { IconButton } from '#ui/button';
import { MenuButton, type MenuItems } from '#ui/menu';
import { Spinner } from '#ui/spinner';

import { reportFailedWrite, showFailure } from '../failed-writes.ts';
import { presetTexts } from '../message-type-texts.ts';
import { chatTitle } from '../names.ts';
import { chatQueries, refreshChat, useRefetchOnFocus } from '../queries.ts';
import { StepHeading } from '../step-heading.tsx';
import { chatTexts } from '../texts.ts';
import { languageTexts } from './language-texts.ts';

import styles from './chat-bar.module.css';

const texts = chatTexts.settings;

/** What opens above the settings. */
export type OpenPart =
  | { readonly kind: 'health' }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'language' }
  | { readonly kind: 'preset'; readonly topicId: string }
  | { readonly kind: 'copy'; readonly topicId: string }
  /** `suggested` is the number with which the dialog opens. */
  | { readonly kind: 'add'; readonly suggested: string };

type ChatBarProps = {
  readonly chatId: string;
  /** What is known of the chat so far; undefined until its name is. */
  readonly known: Pick<Chat, 'chat_id' | 'chat_name' | 'is_demo' | 'languages'> | undefined;
  /** The settings are shown as the device knew them last: the server has not answered yet. */
  readonly isLastKnown: boolean;
  readonly hasMoved: boolean;
  /** Whether the server has what “Under attack” switches. */
  readonly hasValues: boolean;
  /** The topic that the user looks at; undefined until the settings have been read. */
  readonly getTopic: () => { readonly topicId: string; readonly title: string } | undefined;
  readonly onOpen: (part: OpenPart) => void;
};

export function ChatBar({ chatId, known, isLastKnown, ...props }: ChatBarProps) {
  const { hasMoved, hasValues, getTopic, onOpen } = props;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { has } = useCapabilities();
  const isActive = has(chatActivity);
  const refresh = useRefresh(chatId);

  const getItems = (): MenuItems => {
    const topic = getTopic();
    return [
      {
        text: texts.refresh,
        icon: <RefreshCw aria-hidden size={20} />,
        onSelect: refresh.run,
      },
      ...(hasValues ? [attackItem(client, chatId)] : []),
      ...(isActive === true ? activityItems(chatId, onOpen) : []),
      ...(has(chatNumbers) === true ? [numbersItem(chatId)] : []),
      ...(known !== undefined && known.languages.length > 1
        ? [
            {
              text: languageTexts.open,
              icon: <Languages aria-hidden size={20} />,
              onSelect: () => onOpen({ kind: 'language' }),
            },
          ]
        : []),
      ...(isActive === true && topic ? topicItems(topic, onOpen) : []),
      ...(topic
        ? [
            {
              text: chatTexts.addTopic.open,
              icon: <Plus aria-hidden size={20} />,
              onSelect: () => onOpen({ kind: 'add', suggested: '' }),
            },
          ]
        : []),
      // Inside Telegram, whose own arrow replaces the one in the bar.
      {
        text: chatTexts.backToList,
        icon: <ArrowLeft aria-hidden size={20} />,
        className: styles.backItem,
        to: dashboardPaths.list,
      },
    ];
  };

  return (
    <header className={styles.bar}>
      <IconButton
        className={styles.back}
        label={chatTexts.backToList}
        icon={<ArrowLeft aria-hidden size={22} />}
        onClick={() => void navigate(dashboardPaths.list)}
      />
      <div className={styles.name}>
        <StepHeading hasMoved={hasMoved}>
          {chatTitle(known ?? { chat_id: chatId, chat_name: '' })}
        </StepHeading>
        <p className={styles.id}>{chatTexts.chatId(chatId)}</p>
      </div>
      <div className={styles.state} aria-live="polite">
        {isActive === true && known !== undefined ? (
          <HealthPill
            chatId={chatId}
            until={isLastKnown ? lastKnown : known.is_demo ? demo : checking}
            isHeld={isLastKnown}
            onOpen={onOpen}
          />
        ) : isLastKnown ? (
          <Pill state={lastKnown} />
        ) : known?.is_demo === true ? (
          <Pill state={demo} />
        ) : (
          isActive !== false && <Pill state={checking} />
        )}
      </div>
      <MenuButton
        label={texts.menu}
        items={getItems}
        isBusy={refresh.isBusy}
        icon={refresh.isBusy ? <Spinner size="small" /> : undefined}
      />
      <output className="visually-hidden">{refresh.isBusy ? texts.refreshing : ''}</output>
    </header>
  );
}

/** Long enough for the user to see that something happened. */
const minRefreshMs = 800;

function useRefresh(chatId: string) {
  const client = useQueryClient();
  return useAction(async (signal) => {
    const [outcome] = await Promise.allSettled([
      refreshChat(client, chatId),
      new Promise((resolve) => setTimeout(resolve, minRefreshMs)),
    ]);
    if (outcome.status === 'rejected' && !signal.aborted) {
      showFailure('refresh-failed', texts.refreshFailed);
    }
  });
}

type Open = ChatBarProps['onOpen'];

/** What it does is loaded when it is needed. The bar across the screen knows whether it is on. */
function attackItem(client: QueryClient, chatId: string): MenuItems[number] {
  const isOn = document.querySelector('[data-attack="on"]') !== null;
  return {
    text: isOn ? texts.endAttack : texts.attack,
    icon: <ShieldAlert aria-hidden size={20} />,
    className: styles.dangerItem,
    onSelect: () => {
      import('../joining/attack.tsx')
        .then(({ toggleAttack }) => toggleAttack(client, chatId))
        .catch((error: unknown) => reportFailedWrite(chatId, error));
    },
  };
}

const numbersItem = (chatId: string): MenuItems[number] => ({
  text: texts.numbers,
  icon: <ChartColumn aria-hidden size={20} />,
  to: `${dashboardPaths.chat(chatId)}&view=numbers`,
});

function activityItems(chatId: string, onOpen: Open): MenuItems {
  return [
    {
      text: texts.history,
      icon: <History aria-hidden size={20} />,
      to: `${dashboardPaths.chat(chatId)}&view=history`,
    },
    {
      text: chatTexts.deletions.heading,
      icon: <Ban aria-hidden size={20} />,
      onSelect: () => onOpen({ kind: 'deleted' }),
    },
    {
      text: chatTexts.health.label,
      icon: <Bot aria-hidden size={20} />,
      onSelect: () => onOpen({ kind: 'health' }),
    },
  ];
}

/** Changes of many settings of one topic: in the bar's menu, and in that of each topic. */
export function topicItems(
  { topicId, title }: { readonly topicId: string; readonly title: string },
  onOpen: Open,
): MenuItems {
  return [
    {
      text: presetTexts.open,
      label: presetTexts.openFor(title),
      remark: title,
      icon: <SlidersHorizontal aria-hidden size={20} />,
      onSelect: () => onOpen({ kind: 'preset', topicId }),
    },
    {
      text: texts.copy,
      label: texts.copyFrom(title),
      remark: title,
      icon: <Copy aria-hidden size={20} />,
      onSelect: () => onOpen({ kind: 'copy', topicId }),
    },
  ];
}

type State = {
  readonly tone: 'good' | 'bad' | 'neutral' | 'busy';
  readonly text: string;
  /** What the user can do about it. */
  readonly todo?: string;
};

const { pill } = chatTexts.health;
const demo: State = { tone: 'neutral', text: chatTexts.demo };
const checking: State = { tone: 'busy', text: pill.checking };
const lastKnown: State = { tone: 'neutral', text: texts.lastKnown };

type HealthPillProps = {
  readonly chatId: string;
  /** The state until the server has answered. */
  readonly until: State;
  /** Whether that stays although the server has answered about the bot. */
  readonly isHeld: boolean;
  readonly onOpen: Open;
};

/** The bot's state in the chat, asked for again when the user returns to the page. */
function HealthPill({ chatId, until, isHeld, onOpen }: HealthPillProps) {
  const { data, isError, isFetching, refetch } = useQuery(chatQueries.health(chatId));
  useRefetchOnFocus(refetch);

  if (isError && !isFetching && !isHeld) {
    return (
      <Pill state={{ tone: 'bad', text: pill.unknown, todo: chatTexts.retry }} onOpen={onOpen} />
    );
  }
  return <Pill state={data && !isHeld ? readState(data) : until} onOpen={onOpen} />;
}

function readState(health: ChatHealth): State {
  if (health.bot === null) {
    return demo;
  }
  if (!health.is_listening) {
    return { tone: 'bad', text: pill.notListening };
  }
  const problem = findProblem(health);
  return problem === undefined
    ? { tone: 'good', text: pill.good }
    : {
        tone: 'bad',
        text: chatTexts.health.facts[problem.fact].no,
        todo: chatTexts.health[`${problem.todo}Action`],
      };
}

/** The most important of the bot's missing rights, and the text that says what to do about it. */
export function findProblem({ is_in, may_delete, sees_all }: ChatHealth) {
  if (!is_in) {
    return { fact: 'is_in', todo: 'addBot' } as const;
  }
  if (!may_delete) {
    return { fact: 'may_delete', todo: 'giveRight' } as const;
  }
  return sees_all ? undefined : ({ fact: 'sees_all', todo: 'seeAll' } as const);
}

const icons: Readonly<Record<State['tone'], ReactNode>> = {
  good: <CircleCheck aria-hidden size={16} />,
  bad: <CircleAlert aria-hidden size={16} />,
  neutral: <Info aria-hidden size={16} />,
  busy: <Spinner size="small" />,
};

function Pill({ state, onOpen }: { readonly state: State; readonly onOpen?: Open | undefined }) {
  const { tone, text, todo } = state;
  const classes = `${styles.pill} ${styles[tone]}`;
  const content = (
    <>
      {icons[tone]}
      <span className={styles.pillText}>
        <span>{text}</span>
        {todo !== undefined && <span className={styles.todo}>{todo}</span>}
      </span>
    </>
  );
  return onOpen ? (
    <button
      type="button"
      className={classes}
      aria-label={todo === undefined ? text : chatTexts.health.pillWith(text, todo)}
      aria-haspopup="dialog"
      aria-busy={tone === 'busy' || undefined}
      onClick={() => onOpen({ kind: 'health' })}
    >
      {content}
    </button>
  ) : (
    <span className={classes}>{content}</span>
  );
}
