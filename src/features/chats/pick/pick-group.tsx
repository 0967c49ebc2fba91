/** Adding a chat by picking it in Telegram, where the client has a list of groups and the server a bot. */
import { useQueryClient } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { chatPick, preparePick } from '#contract/endpoints/chat-activity';
import { call, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { dashboardPaths } from '#lib/paths';
import { type Platform, usePlatform } from '#lib/platform';
import { Button, ButtonLink } from '#ui/button';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';
import { Spinner } from '#ui/spinner';

import { LinkedText } from '../linked-text.tsx';
import { chatTexts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { BackToListLink } from './back-to-list-link.tsx';
import { pickTexts as texts } from './texts.ts';
import { listAnew, untilArrived } from './until-arrived.ts';

export function PickGroup() {
  const { pickChat } = usePlatform();
  const isOffered = useCapabilities({ isWanted: pickChat !== undefined }).has(chatPick) === true;
  return pickChat && isOffered ? <PickCard pickChat={pickChat} /> : null;
}

type PickCardProps = { readonly pickChat: NonNullable<Platform['pickChat']> };
type Said = {
  readonly tone: 'info' | 'error';
  readonly text: string;
  readonly action?: ReactNode;
};

function PickCard({ pickChat }: PickCardProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const platform = usePlatform();
  const [said, setSaid] = useState<Said>();
  const [isWaiting, setIsWaiting] = useState(false);

  const { isBusy, run } = useAction(async (signal) => {
    setSaid(undefined);
    const fail = (text: string) => {
      setSaid({ tone: 'error', text });
      platform.haptic('error');
    };
    try {
      const [before, { request_id: id }] = await Promise.all([
        listAnew(client),
        call(preparePick, {}, signal),
      ]);
      const picked = await pickChat(id);
      if (signal.aborted || picked === 'declined') {
        return;
      }
      if (picked === 'failed') {
        fail(texts.failed);
        return;
      }
      setIsWaiting(true);
      const arrived = await untilArrived(client, before, signal);
      if (signal.aborted) {
        return;
      }
      if (arrived === undefined) {
        setSaid({ tone: 'info', text: texts.notYet, action: <BackToListLink /> });
      } else if (arrived.managed !== undefined) {
        setSaid({
          tone: 'info',
          text: texts.managed(chatTexts.chatTitle(arrived.managed)),
          action: <ButtonLink to={dashboardPaths.chat(arrived.chatId)}>{texts.manage}</ButtonLink>,
        });
      } else {
        platform.haptic('success');
        // Back is to lead out of adding a chat, and not into a step that is done.
        void navigate(dashboardPaths.verify(arrived.chatId), { replace: true });
      }
    } catch (error) {
      if (!signal.aborted) {
        fail(errorText(error, texts.failed));
      }
    } finally {
      setIsWaiting(false);
    }
  });

  return (
    <Card title={texts.heading}>
      <p>{texts.hint}</p>
      {said && (
        <Notice tone={said.tone} action={said.action}>
          <LinkedText text={said.text} />
        </Notice>
      )}
      {isWaiting && <Spinner label={texts.waiting} />}
      <Button isWide isBusy={isBusy} icon={<UsersRound aria-hidden size={18} />} onClick={run}>
        {texts.open}
      </Button>
    </Card>
  );
}
