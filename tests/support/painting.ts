/** Chats in which pictures are asked for, with an engine that paints when it is told to. */
import { expect } from 'vitest';

import { startBotApi } from './bot-api-server.ts';
import { signIn } from './chats.ts';
import { ann, startGroup } from './command-group.ts';
import { createHandEngine } from './image-engines.ts';
import { ada, startBot } from './test-bot.ts';

type Options = NonNullable<Parameters<typeof startGroup>[0]>;

/** A group and an engine that paints when it is told to. */
export async function startPainting(options: Options = {}) {
  const hand = createHandEngine();
  const group = await startGroup({ engines: { pixai: hand.engine }, ...options });
  await signIn(group.server, ann);
  return {
    ...group,
    hand,
    ...watch(group),
    /** Asks for a picture and has it painted. */
    paints: async (from: number, text: string) => {
      await group.says(from, text);
      await expect.poll(hand.waiting).toBe(1);
      hand.finish();
      await expect.poll(() => readPhotos(group.api)).not.toEqual([]);
    },
  };
}

type Watched = Pick<Awaited<ReturnType<typeof startBot>>, 'api' | 'server'>;

export const readPhotos = (api: Watched['api']) =>
  api.messages.filter((message) => api.show(message)?.media?.kind === 'photo');

function watch({ api, server }: Watched) {
  return {
    shown: () => api.messages.flatMap((message) => api.show(message) ?? []),
    photos: () => readPhotos(api),
    /** Presses the newest button with a label. Resolves with what is shown for it. */
    presses: async (from: number, label: string) => {
      const message = api.messages.findLast((one) => api.show(one)?.buttons.flat().includes(label));
      if (message === undefined) {
        throw new Error(`There is no button ${label}`);
      }
      const pressId = api.presses.press(message, from, label);
      await api.updates.confirmed();
      await server.handled();
      return api.presses.answers.find((one) => one.pressId === pressId)?.text;
    },
    history: (telegramId: number) => server.services.generations.list(telegramId),
  };
}

/** A private chat with an engine that paints when it is told to. */
export async function startPrivate({ knowsDrafts = true } = {}) {
  const hand = createHandEngine();
  const api = await startBotApi();
  api.bot.knowsDrafts = knowsDrafts;
  const bot = await startBot({ api, bot: { api }, engines: { pixai: hand.engine } });
  await signIn(bot.server, ada.id);
  return { ...bot, hand, ...watch(bot) };
}
