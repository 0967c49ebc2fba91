/** The buttons that send and share a picture. What they do is loaded with the first press. */
import { BellRing, Send, Share2 } from 'lucide-react';
import { useState } from 'react';

import { pictureSending, pictureSharing } from '#contract/endpoints/picture-sharing';
import { useCapabilities } from '#lib/capabilities';
import { canShareFiles } from '#lib/fetch-file';
import { useIsHydrated } from '#lib/hydrated';
import { useNotices } from '#lib/notices';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Button } from '#ui/button';
import { MenuButton, type MenuItems } from '#ui/menu';

import { type ProviderAdapter } from './provider-adapter.ts';
import { type GenerationRecord } from './records.ts';
import type * as sharing from './share-picture.ts';
import { sharingTexts as texts } from './texts.ts';

import styles from './result.module.css';

type Action = (to: typeof sharing) => Promise<void>;

/** Returns the function that does something with a loaded module, and whether it does. */
function useSharing() {
  const [isBusy, setIsBusy] = useState(false);
  const run = async (action: Action): Promise<void> => {
    setIsBusy(true);
    try {
      await action(await import('./share-picture.ts'));
    } catch {
      // The file could not be loaded.
      useNotices.getState().show({ id: 'share-picture', tone: 'error', text: texts.notShared });
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, run: (action: Action) => void run(action) };
}

type PictureProps = {
  readonly adapter: ProviderAdapter;
  readonly record: GenerationRecord;
  /** All pictures of a record that has several: they can be sent, and are shared one by one. */
  readonly isAll?: boolean;
};

/** Whether a picture can be sent by the bot, and shared in Telegram. */
function useTelegramWays({ record, isAll = false }: PictureProps) {
  const { has } = useCapabilities();
  const session = useSession();
  const { container, shareStory } = usePlatform();
  const isSaved =
    session.status === 'member' && record.status === 'completed' && record.remoteId !== undefined;
  const canShare = isSaved && !isAll && has(pictureSharing) === true;
  return {
    canSend: isSaved && has(pictureSending) === true,
    canShareToChat: canShare && container === 'telegram',
    canPost: canShare && shareStory !== undefined,
  };
}

/** Whether the browser hands a file to other apps. Telegram's web views are asked for other ways. */
function useCanShareFile(): boolean {
  const isHydrated = useIsHydrated();
  const { container } = usePlatform();
  return isHydrated && container === 'web' && canShareFiles();
}

/** What can be done with a picture here, the most usual first. */
function useWays(props: PictureProps) {
  const { adapter, record, isAll = false } = props;
  const { container } = usePlatform();
  const canShareFile = useCanShareFile();
  const { canSend, canShareToChat, canPost } = useTelegramWays(props);
  const { isBusy, run } = useSharing();
  const isDone = record.status === 'completed' && !isAll;
  const hasLink = container === 'web' && record.imageUrl !== undefined;

  const ways: readonly (readonly [isOffered: boolean, text: string, action: Action])[] = [
    [isDone && canShareFile, texts.toApp, (to) => to.shareToApp(adapter, record)],
    [isDone && hasLink, texts.copyLink, (to) => to.copyLink(record)],
    [canSend, texts.send, (to) => to.sendToChat(record, 'photo', isAll)],
    [canSend, texts.sendFile, (to) => to.sendToChat(record, 'file', isAll)],
    [canShareToChat, texts.toChat, (to) => to.shareToChat(record)],
    [canPost, texts.story, (to) => to.shareAsStory(record)],
  ];
  return {
    isBusy,
    ways: ways.flatMap(([isOffered, text, action]) =>
      isOffered ? [{ text, onSelect: () => run(action) }] : [],
    ),
  };
}

/** A menu with the ways of sharing a picture; nothing where there are none. */
export function ShareMenu(props: PictureProps) {
  const { isBusy, ways } = useWays(props);
  return ways.length === 0 ? null : <WaysMenu ways={ways} isBusy={isBusy} />;
}

/** The most usual way of sharing a picture as a button, and a menu with the others. */
export function ShareRow(props: PictureProps) {
  const { isBusy, ways } = useWays(props);
  const [usual, ...others] = ways;
  return usual === undefined ? null : (
    <div className={styles.sharing}>
      <Button icon={<Send aria-hidden size={18} />} isBusy={isBusy} onClick={usual.onSelect}>
        {usual.text}
      </Button>
      {others.length > 0 && <WaysMenu ways={others} isBusy={false} />}
    </div>
  );
}

function WaysMenu({ ways, isBusy }: { readonly ways: MenuItems; readonly isBusy: boolean }) {
  return (
    <MenuButton
      label={texts.menu}
      icon={<Share2 aria-hidden size={22} />}
      items={() => ways}
      isBusy={isBusy}
    />
  );
}

type PlaceProps = { readonly record: GenerationRecord | undefined };

/** While pictures are being made: the place of the row with which they are shared, and how to be told of them. */
export function SharePlace({ record }: PlaceProps) {
  const { has } = useCapabilities();
  const isMember = useSession().status === 'member';
  const { container } = usePlatform();
  const canShareFile = useCanShareFile();
  const canSend = isMember && has(pictureSending) === true;
  if (!canSend && (container === 'telegram' || (!isMember && !canShareFile))) {
    return null;
  }
  return (
    <div className={styles.sharing}>
      {canSend && record?.status === 'pending' && <TellWhenReady record={record} />}
    </div>
  );
}

function TellWhenReady({ record }: { readonly record: GenerationRecord }) {
  const { isBusy, run } = useSharing();
  if (record.isAwaited === true) {
    return (
      <output className={styles.told}>
        <BellRing aria-hidden size={18} />
        {texts.willTell}
      </output>
    );
  }
  return record.jobKey === undefined ? null : (
    <Button
      kind="quiet"
      icon={<BellRing aria-hidden size={18} />}
      isBusy={isBusy}
      onClick={() => run((to) => to.askToTell(record))}
    >
      {texts.tell}
    </Button>
  );
}
