/**
 * Remembers the messages of albums for a while. Each one arrives alone, nothing says which is the
 * last, and only one of them has the caption: when one is blocked, all are.
 */
import { type MessageType } from '#contract/chats/message-types';

const keptMs = 10_000;

export type Album = {
  /** Message ids in the order in which they arrived. */
  readonly messageIds: Set<number>;
  /** What the first blocked message was blocked as. */
  blockedAs: MessageType | undefined;
  expiresAt: number;
};

export type Albums = {
  /** Adds a message to its album, and answers the album. */
  readonly add: (chatId: number, albumId: string, messageId: number) => Album;
};

export function createAlbums(clock: () => number): Albums {
  /** The one that was added to last is the last. */
  const albums = new Map<string, Album>();

  function removeExpired(now: number): void {
    for (const [key, { expiresAt }] of albums) {
      if (expiresAt > now) {
        return;
      }
      albums.delete(key);
    }
  }

  return {
    add(chatId, albumId, messageId) {
      const now = clock();
      removeExpired(now);
      const key = `${chatId}:${albumId}`;
      const album = albums.get(key) ?? {
        messageIds: new Set(),
        blockedAs: undefined,
        expiresAt: 0,
      };
      album.messageIds.add(messageId);
      album.expiresAt = now + keptMs;
      albums.delete(key);
      albums.set(key, album);
      return album;
    },
  };
}
