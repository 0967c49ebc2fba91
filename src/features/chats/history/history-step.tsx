/** Who has changed what in a chat, and when, with the way to take each change back. */
import { ArrowLeft } from 'lucide-react';
import { Navigate, useNavigate } from 'react-router-dom';

import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';

import { useLiveChat } from '../live/use-live-chat.ts';
import { useFollowingUpgrade, useLeavingLost, useManagedChat } from '../settings/managed-chat.ts';
import { StepHeading } from '../step-heading.tsx';
import { chatTexts } from '../texts.ts';
import { HistoryList } from './history-list.tsx';
import { historyTexts as texts } from './texts.ts';

import chatStyles from '../chats.module.css';
import styles from './history.module.css';

type HistoryStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function HistoryStep({ chatId, hasMoved }: HistoryStepProps) {
  const navigate = useNavigate();
  const { data: chat, isNotManaged } = useManagedChat(chatId);
  useLeavingLost(chat, { chatId, isRefused: isNotManaged });
  useFollowingUpgrade(chat, { chatId, topicId: undefined });
  useLiveChat(chatId, { isManaged: chat?.chat_id === chatId && !isNotManaged });

  if (isNotManaged && chat === undefined) {
    return <Navigate to={dashboardPaths.verify(chatId)} replace />;
  }
  return (
    <>
      <Button
        kind="quiet"
        className={chatStyles.back}
        icon={<ArrowLeft aria-hidden size={18} />}
        onClick={() => void navigate(dashboardPaths.chat(chatId))}
      >
        {texts.back}
      </Button>
      <div>
        <StepHeading hasMoved={hasMoved}>{texts.heading}</StepHeading>
        <p className={styles.subject} dir="auto">
          {chatTexts.chatTitle(chat ?? { chat_id: chatId, chat_name: '' })}
        </p>
      </div>
      <HistoryList chatId={chatId} chat={chat ?? { topic_names: {} }} />
    </>
  );
}
