/** Step 4: what each topic of a chat blocks, or why it cannot be shown. */
import { useQueryClient } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';

import { type Chat } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';
import { EmptyState } from '#ui/empty-state';
import { Skeleton } from '#ui/skeleton';

import { useLiveChat } from '../live/use-live-chat.ts';
import { chatQueries } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { useFollowingUpgrade, useLeavingLost, useManagedChat } from './managed-chat.ts';
import { SettingsBody } from './settings-body.tsx';
import { SettingsHeader } from './settings-header.tsx';

const texts = chatTexts.settings;

type SettingsStepProps = {
  readonly chatId: string;
  readonly topicId: string | undefined;
  readonly hasMoved: boolean;
};

export function SettingsStep({ chatId, topicId, hasMoved }: SettingsStepProps) {
  const { data: chat, error, refetch, isFetching, isNotManaged } = useManagedChat(chatId);
  useLeavingLost(chat, { chatId, isRefused: isNotManaged });
  useFollowingUpgrade(chat, { chatId, topicId });
  useLiveChat(chatId, { isManaged: chat?.chat_id === chatId && !isNotManaged });

  const { title, isDemo } = useKnownFacts(chatId, chat);

  if (isNotManaged && chat === undefined) {
    return <Navigate to={dashboardPaths.verify(chatId)} replace />;
  }
  return (
    <>
      <SettingsHeader chatId={chatId} title={title} isDemo={isDemo} hasMoved={hasMoved} />
      {chat ? (
        <SettingsBody chat={chat} topicId={topicId} />
      ) : (
        <Pending error={isFetching ? null : error} retry={() => void refetch()} />
      )}
    </>
  );
}

/** What is known of the chat, from the list when its settings are still on their way. */
function useKnownFacts(chatId: string, chat: Chat | undefined) {
  const client = useQueryClient();
  const listed = client.getQueryData(chatQueries.list().queryKey)?.chats;
  const known = chat ?? listed?.find(({ chat_id }) => chat_id === chatId);
  return {
    title: chatTexts.chatTitle(known ?? { chat_id: chatId, chat_name: '' }),
    isDemo: known?.is_demo ?? false,
  };
}

type PendingProps = { readonly error: Error | null; readonly retry: () => void };

function Pending({ error, retry }: PendingProps) {
  return error ? (
    <EmptyState
      mood="surprised"
      title={texts.loadFailed}
      action={
        <Button kind="primary" onClick={retry}>
          {chatTexts.retry}
        </Button>
      }
    >
      {errorText(error, '')}
    </EmptyState>
  ) : (
    <Skeleton shape="sections" label={texts.loading} />
  );
}
