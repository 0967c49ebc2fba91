/** Which commands members may use: in the whole chat, or in one of its topics. */
import { useState } from 'react';

import { offName, switchableCommands, wholeChat } from '#contract/chats/values';
import { commandTable } from '#contract/commands/index';
import { commandTexts } from '#contract/commands/titles';
import { type Chat } from '#contract/endpoints/chats';
import { Section } from '#ui/section';
import { SelectField } from '#ui/select-field';

import { useChooseValue } from '../choose-value.ts';
import { byTopicId, topicTitle } from '../names.ts';
import { SwitchCell } from '../sections/switch-cell.tsx';
import { valueTexts } from '../value-texts.ts';
import { useShownValues } from '../value-writes.ts';
import { logTexts } from './texts.ts';

import styles from './log.module.css';

const texts = logTexts.commands;

const names = switchableCommands.map(offName);

export function MemberCommands({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const topics = Object.keys(chat.topics).toSorted(byTopicId);
  const [chosen, setChosen] = useState<string>(wholeChat);
  // The topic may be gone meanwhile.
  const place = topics.includes(chosen) ? chosen : wholeChat;
  const here = useShownValues({ chatId, place, names });
  const inChat = useShownValues({ chatId, names });
  const choose = useChooseValue(chatId);

  return (
    <Section heading={texts.heading} headingLevel={3} foot={texts.about}>
      {topics.length > 1 && (
        <div className={styles.where}>
          <SelectField label={texts.where} value={place} onChange={setChosen}>
            <option value={wholeChat}>{valueTexts.wholeChat}</option>
            {topics.map((topicId) => (
              <option key={topicId} value={topicId}>
                {topicTitle(chat, topicId)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      {switchableCommands.map((id) => {
        const name = offName(id);
        const isOffInChat = place !== wholeChat && inChat[name] === true;
        const { title, description } = commandTexts[id];
        return (
          <SwitchCell
            key={`${place} ${id}`}
            title={title}
            about={
              isOffInChat
                ? texts.offInChat
                : texts.line(`/${commandTable[id].names[0]}`, description)
            }
            isOn={!isOffInChat && here[name] !== true}
            isDisabled={isOffInChat}
            onChange={(isOn) => choose({ place, name, value: isOn ? null : true })}
          />
        );
      })}
    </Section>
  );
}
