/** Chooses what language the bot writes in a group: it applies at once. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

import { type Chat, setChatLanguage } from '#contract/endpoints/chats';
import { type Language, languages, sourceLanguage } from '#contract/languages';
import { call } from '#lib/api';
import { tellOtherTabs } from '#lib/other-tabs';
import { usePlatform } from '#lib/platform';
import { createWriteQueue, type WriteQueue } from '#lib/write-queue';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Cell, Section } from '#ui/section';

import { reportFailedWrite } from '../failed-writes.ts';
import { chatQueries } from '../queries.ts';
import { chatKey } from '../setting-writes.ts';
import { chatTexts } from '../texts.ts';
import { languageTexts as texts } from './language-texts.ts';

type LanguageDialogProps = {
  readonly chat: Pick<Chat, 'chat_id' | 'language' | 'languages'>;
  readonly onClose: () => void;
};

export function LanguageDialog({ chat, onClose }: LanguageDialogProps) {
  const { chat_id: chatId, language, languages: offered } = chat;
  const platform = usePlatform();
  const writes = languageWrites(useQueryClient());
  const pending = useSyncExternalStore(writes.subscribe, () => writes.getPending(chatId));
  const chosen = pending ?? language ?? sourceLanguage;

  return (
    <Dialog
      title={texts.open}
      isOpen
      onClose={onClose}
      actions={
        <Button kind="quiet" onClick={onClose}>
          {chatTexts.close}
        </Button>
      }
    >
      <p>{texts.hint}</p>
      <fieldset>
        <legend className="visually-hidden">{texts.choices}</legend>
        <Section>
          {offered.map((tag) => (
            <Cell
              key={tag}
              isLabel
              title={<span lang={tag}>{languages[tag].name}</span>}
              after={
                <input
                  type="radio"
                  name="language"
                  value={tag}
                  checked={tag === chosen}
                  onChange={() => {
                    platform.haptic('selection');
                    writes.choose(chatId, tag);
                  }}
                />
              }
            />
          ))}
        </Section>
      </fieldset>
    </Dialog>
  );
}

const queues = new WeakMap<QueryClient, WriteQueue<Language>>();

/** The queue of writes; its keys are IDs of chats. It goes on when the dialog is closed. */
function languageWrites(client: QueryClient): WriteQueue<Language> {
  const queue = queues.get(client) ?? createLanguageQueue(client);
  queues.set(client, queue);
  return queue;
}

function createLanguageQueue(client: QueryClient): WriteQueue<Language> {
  return createWriteQueue<Language>({
    write: async (chatId, language) => {
      await call(setChatLanguage, { chat_id: chatId, language });
    },
    onConfirmed: (chatId, language) => {
      tellOtherTabs('chats');
      const queryKey = chatKey(chatId);
      client.setQueryData<Chat>(queryKey, (chat) => chat && { ...chat, language });
      // An open history has one more entry.
      void client.invalidateQueries(chatQueries.changes(chatId));
    },
    onFailed: (chatId, error) => {
      reportFailedWrite(chatId, error);
      // The server may have stored the language although its answer got lost.
      void client.invalidateQueries({ queryKey: chatKey(chatId) });
    },
  });
}
