/** The tab "Automatic": what the bot does by itself about floods, reactions, blocked words, and words with an answer. */
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';

import { floodLimits, reactionLimits, readValue } from '#contract/chats/values';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { chatContents } from '#contract/endpoints/chat-contents';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { useFocusKept } from '#lib/focus';
import { IconButton } from '#ui/button';
import { Cell, Section } from '#ui/section';

import { useChooseValue } from '../choose-value.ts';
import { Pending } from '../pending.tsx';
import { chatQueries } from '../queries.ts';
import { ActionRows } from '../rule-rows.tsx';
import { valueLine } from '../value-lines.ts';
import { CountChoice, MissingRight, SwitchCell, TimeChoice } from '../value-rows.tsx';
import { useShownValues, valueQuery } from '../value-writes.ts';
import { Answers } from './answers.tsx';
import { Blocklist } from './blocklist.tsx';
import { automaticTexts as texts } from './texts.ts';

import styles from '../sections/sections.module.css';

export function AutomaticSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const { has } = useCapabilities();
  const hasContents = has(chatContents) === true;
  const { data: health } = useQuery({
    ...chatQueries.health(chatId),
    enabled: has(chatActivity) === true,
  });
  const hasReactions = health?.reactions !== false;
  const query = useQuery(valueQuery(chatId));

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <Floods chatId={chatId} />
        <Blocklist chat={chat} />
      </div>
      <div className={styles.column}>
        {hasContents && <Answers chat={chat} />}
        {hasReactions && <Reactions chatId={chatId} />}
      </div>
    </div>
  );
}

type PartProps = { readonly chatId: string };

const floodCounts = [5, 8, 10, 15, 20] as const;
/** In seconds. */
const floodTimes = [5, 10, 30, 60] as const;
const floodActions = ['mute', 'ban', 'kick'] as const;
const floodNames = ['flood', 'flood_action'] as const;

function Floods({ chatId }: PartProps) {
  const shown = useShownValues({ chatId, names: floodNames });
  const choose = useChooseValue(chatId);
  const set = (name: (typeof floodNames)[number], value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  const flood = readValue(shown, 'flood');
  const { min, max, maxSeconds } = floodLimits;
  return (
    <Section heading={texts.flood.heading} headingLevel={3} remark={texts.flood.about}>
      <CountChoice
        title={texts.flood.count}
        counts={floodCounts}
        limits={{ min, max }}
        write={texts.flood.messages}
        others={[['off', texts.flood.off]]}
        value={flood === 'off' ? flood : flood.count}
        onChoose={(count) =>
          set('flood', count === 'off' ? count : { ...(flood !== 'off' && flood), count })
        }
      />
      {flood !== 'off' && (
        <>
          <TimeChoice
            title={texts.flood.seconds}
            times={floodTimes}
            others={[['inRow', texts.flood.inRow]]}
            typed={{ limits: { min: 1, max: maxSeconds } }}
            value={flood.seconds ?? 'inRow'}
            onChoose={(seconds) =>
              set('flood', {
                count: flood.count,
                ...(seconds !== 'inRow' && { seconds }),
              })
            }
          />
          <ActionRows
            title={texts.flood.action}
            kinds={floodActions}
            action={readValue(shown, 'flood_action')}
            usualSeconds={3600}
            onChoose={(value) => set('flood_action', value)}
          />
          <MissingRight chatId={chatId} right="restrict" and="delete" />
        </>
      )}
    </Section>
  );
}

const reactionCounts = [10, 15, 20, 30, 50] as const;
const reactionNames = ['reaction_limit', 'reactions_unwanted', 'reactions_of_banned'] as const;

function Reactions({ chatId }: PartProps) {
  const shown = useShownValues({ chatId, names: reactionNames });
  const choose = useChooseValue(chatId);
  const set = (name: (typeof reactionNames)[number], value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  const { min, max } = reactionLimits;
  return (
    <Section heading={texts.reactions.heading} headingLevel={3}>
      <MissingRight chatId={chatId} right="delete" />
      <CountChoice
        title={texts.reactions.count}
        about={texts.reactions.countAbout}
        counts={reactionCounts}
        limits={{ min, max }}
        write={texts.reactions.inMinute}
        others={[['off', texts.reactions.off]]}
        value={readValue(shown, 'reaction_limit')}
        onChoose={(value) => set('reaction_limit', value)}
      />
      <SwitchCell
        title={texts.reactions.ofBanned}
        isOn={readValue(shown, 'reactions_of_banned')}
        onChange={(value) => choose({ name: 'reactions_of_banned', value })}
      />
      <Unwanted
        unwanted={readValue(shown, 'reactions_unwanted')}
        onChoose={(value) => set('reactions_unwanted', value)}
      />
    </Section>
  );
}

/** All that Telegram has, in its order, besides custom emoji. */
const reactionEmoji = [
  '👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐',
  '🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂',
  '🤷 🤷‍♀ 😡',
].flatMap((line) => line.split(' '));

const isCustom = (reaction: string) => /^\d+$/.test(reaction);

type UnwantedProps = {
  readonly unwanted: readonly string[];
  readonly onChoose: (unwanted: readonly string[]) => void;
};

/** Which reactions are removed; the grid of all of them opens on demand. */
function Unwanted({ unwanted, onChoose }: UnwantedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const custom = unwanted.filter(isCustom);
  const isFull = unwanted.length >= reactionLimits.maxUnwanted;
  const toggle = (reaction: string) => {
    const others = unwanted.filter((one) => one !== reaction);
    if (others.length < unwanted.length) {
      onChoose(others);
    } else if (!isFull) {
      onChoose([...unwanted, reaction]);
    }
  };
  const plain = unwanted.filter((one) => !isCustom(one)).join(' ');
  return (
    <>
      <Cell
        title={texts.reactions.unwanted}
        subtitle={
          unwanted.length === 0 ? (
            texts.reactions.none
          ) : (
            <span className={styles.chosenEmoji}>{plain}</span>
          )
        }
      />
      <CustomEmoji ids={custom} onRemove={toggle} />
      <Cell
        tone="accent"
        title={isOpen ? texts.reactions.close : texts.reactions.choose}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <fieldset className={styles.inset}>
          <legend className="visually-hidden">{texts.reactions.unwanted}</legend>
          <div className={styles.emojiGrid}>
            {reactionEmoji.map((emoji) => {
              const isChosen = unwanted.includes(emoji);
              return (
                <button
                  key={emoji}
                  type="button"
                  className={styles.emoji}
                  aria-pressed={isChosen}
                  aria-disabled={isFull && !isChosen}
                  onClick={() => toggle(emoji)}
                >
                  {emoji}
                </button>
              );
            })}
          </div>
          {isFull && <p>{texts.reactions.full(reactionLimits.maxUnwanted)}</p>}
        </fieldset>
      )}
    </>
  );
}

type CustomEmojiProps = {
  readonly ids: readonly string[];
  readonly onRemove: (id: string) => void;
};

/** Those that a command has added: only Telegram can show them. */
function CustomEmoji({ ids, onRemove }: CustomEmojiProps) {
  const list = useRef<HTMLUListElement>(null);
  // The pressed button is gone with its row.
  useFocusKept(list, ids.length);
  return (
    <ul ref={list} tabIndex={-1} aria-label={texts.reactions.unwanted}>
      {ids.map((id) => (
        <li key={id}>
          <Cell
            title={texts.reactions.custom(id)}
            after={
              <IconButton
                label={texts.blocklist.remove(texts.reactions.custom(id))}
                icon={<Trash2 aria-hidden size={20} />}
                onClick={() => onRemove(id)}
              />
            }
          />
        </li>
      ))}
    </ul>
  );
}
