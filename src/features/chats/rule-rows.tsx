/** Rows that rules share: what the bot does, and where in a chat that counts. */
import { useState } from 'react';

import {
  type BlockAction,
  durationLimits,
  type WarnAction,
  wholeChat,
} from '#contract/chats/values';
import { type Chat } from '#contract/endpoints/chats';
import { SelectField } from '#ui/select-field';

import { byTopicId, topicTitle } from './names.ts';
import { Choice, TimeChoice } from './value-rows.tsx';
import { valueTexts } from './value-texts.ts';

import styles from './sections/sections.module.css';

const texts = valueTexts.choice;

type Action = WarnAction | BlockAction;
type LastingKind = 'mute' | 'ban';

/** In seconds. */
const lastingTimes = [3600, 86_400, 7 * 86_400] as const;

type ActionRowsProps = {
  readonly title: string;
  /** What can be chosen, in its order. */
  readonly kinds: readonly Action['kind'][];
  readonly action: Action;
  /** In seconds; the time of a mute or a ban after an action that had none. */
  readonly usualSeconds: number;
  readonly onChoose: (action: Action) => void;
};

/** What the bot does, and for how long where that has an end. */
export function ActionRows({ title, kinds, action, usualSeconds, onChoose }: ActionRowsProps) {
  const last = (kind: LastingKind, seconds: number | 'forGood') =>
    onChoose(seconds === 'forGood' ? { kind } : { kind, seconds });
  const lasting = action.kind === 'mute' || action.kind === 'ban' ? action : undefined;
  const now = lasting?.seconds ?? (lasting ? 'forGood' : usualSeconds);
  return (
    <>
      <Choice
        title={title}
        choices={kinds.map((kind) => [kind, texts.kinds[kind]] as const)}
        value={action.kind}
        onChoose={(kind) =>
          kind === 'mute' || kind === 'ban' ? last(kind, now) : onChoose({ kind })
        }
      />
      {lasting && (
        <TimeChoice
          title={texts.lasting}
          times={lastingTimes}
          others={[['forGood', texts.forGood]]}
          typed={{ limits: durationLimits }}
          value={now}
          onChoose={(seconds) => last(lasting.kind, seconds)}
        />
      )}
    </>
  );
}

type PlaceChoiceProps = {
  readonly chat: Chat;
  readonly place: string;
  readonly onChoose: (place: string) => void;
};

/** Where what is below counts: in the whole chat, or in one of its topics. Nothing where there is nothing to choose. */
export function PlaceChoice({ chat, place, onChoose }: PlaceChoiceProps) {
  const topics = Object.keys(chat.topics).toSorted(byTopicId);
  return topics.length < 2 ? null : (
    <div className={styles.inset}>
      <SelectField label={texts.where} value={place} onChange={onChoose}>
        <option value={wholeChat}>{valueTexts.wholeChat}</option>
        {topics.map((topicId) => (
          <option key={topicId} value={topicId}>
            {topicTitle(chat, topicId)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

/** The chosen place, and the function that chooses another. */
export function usePlace(chat: Chat): readonly [place: string, choose: (place: string) => void] {
  const [chosen, setChosen] = useState<string>(wholeChat);
  // The topic may be gone meanwhile.
  return [chat.topics[chosen] === undefined ? wholeChat : chosen, setChosen];
}
