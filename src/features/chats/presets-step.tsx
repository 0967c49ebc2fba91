/** The last step of the first run: a preset for a chat that blocks nothing yet. */
import { useQueryClient } from '@tanstack/react-query';
import {
  CircleCheck,
  Image,
  type LucideIcon,
  Megaphone,
  Moon,
  SlidersHorizontal,
  Type,
  Unlink,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';

import { getPresetSettings, type Preset, presets } from '#contract/chats/presets';
import { chatMoreTypes } from '#contract/endpoints/chat-activity';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Avatar } from '#ui/avatar';
import { Cell, Section } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { reportFailedWrite } from './failed-writes.ts';
import { useManagedChat } from './managed-chat.ts';
import { presetTexts } from './message-type-texts.ts';
import { chatTitle } from './names.ts';
import { Pending } from './pending.tsx';
import { applyChange, offerUndo } from './settings-change.ts';
import { BackButton, StepHeading } from './step-heading.tsx';
import { chatTexts } from './texts.ts';
import { useAction } from './use-action.ts';

import styles from './first-run.module.css';

const texts = chatTexts.firstRun;

type PresetsStepProps = { readonly chatId: string; readonly hasMoved: boolean };

export function PresetsStep({ chatId, hasMoved }: PresetsStepProps) {
  const query = useManagedChat(chatId);
  const chat = query.data;

  if (query.refusal !== undefined && chat === undefined) {
    return (
      <Navigate to={dashboardPaths.verify(chatId)} replace state={{ refusal: query.refusal }} />
    );
  }
  // A preset would replace what was chosen before.
  if (chat && blocksSomething(chat)) {
    return <Navigate to={dashboardPaths.chat(chat.chat_id)} replace />;
  }
  return (
    <>
      <BackButton />
      <StepHeading hasMoved={hasMoved}>{texts.presetHeading}</StepHeading>
      {chat ? (
        <>
          <Section className={styles.choice}>
            <Cell
              before={<Avatar id={chat.chat_id} title={chatTitle(chat)} />}
              title={chatTitle(chat)}
              subtitle={texts.ready}
              after={<CircleCheck aria-hidden className={styles.tick} />}
            />
          </Section>
          <Section className={styles.choice} foot={texts.presetHint}>
            <Choices chat={chat} />
          </Section>
        </>
      ) : (
        <Pending
          query={query}
          shape="rows"
          loading={chatTexts.settings.loading}
          failed={chatTexts.settings.loadFailed}
        />
      )}
    </>
  );
}

function blocksSomething({ topics }: Chat): boolean {
  return Object.values(topics).some((settings) => Object.values(settings).includes(true));
}

const icons = {
  announcements_only: Megaphone,
  text_only: Type,
  photos_and_text: Image,
  no_links_or_forwards: Unlink,
  quiet_night: Moon,
} as const satisfies Record<Preset, LucideIcon>;

function ChoiceIcon({ type: Icon }: { readonly type: LucideIcon }) {
  return (
    <span className={styles.icon}>
      <Icon aria-hidden size={20} />
    </span>
  );
}

function Choices({ chat }: { readonly chat: Chat }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { chat_id: chatId, topics } = chat;
  const withMore = useCapabilities().has(chatMoreTypes) === true;
  const pressed = useRef<Preset>(undefined);
  const [applied, setApplied] = useState<Preset>();
  const openSettings = () => void navigate(dashboardPaths.chat(chatId), { replace: true });

  const { isBusy, run } = useAction(async (signal) => {
    const preset = pressed.current;
    if (preset === undefined) {
      return;
    }
    setApplied(preset);
    const wanted = getPresetSettings(preset, { withMore });
    try {
      const change = await applyChange(client, {
        chatId,
        kind: 'preset',
        preset,
        topics: Object.fromEntries(Object.keys(topics).map((topicId) => [topicId, wanted])),
      });
      getPlatform().haptic('success');
      if (change) {
        offerUndo(client, [{ chatId, change }], (count) =>
          texts.applied(presetTexts.name[preset], count),
        );
      }
      if (!signal.aborted) {
        openSettings();
      }
    } catch (error) {
      reportFailedWrite(chatId, error);
    }
  });

  return (
    <ul aria-label={texts.presetHeading}>
      {presets.map((preset) => (
        <li key={preset}>
          <Cell
            before={<ChoiceIcon type={icons[preset]} />}
            title={presetTexts.name[preset]}
            subtitle={presetTexts.about[preset]}
            after={isBusy && preset === applied ? <Spinner size="small" /> : undefined}
            isDisabled={isBusy}
            onClick={() => {
              pressed.current = preset;
              run();
            }}
          />
        </li>
      ))}
      <li>
        <Cell
          before={<ChoiceIcon type={SlidersHorizontal} />}
          title={texts.decide}
          subtitle={texts.decideHint}
          isDisabled={isBusy}
          onClick={openSettings}
        />
      </li>
    </ul>
  );
}
