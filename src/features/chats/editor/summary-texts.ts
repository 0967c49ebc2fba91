/** What a row of a tab says of a content; the editor itself is loaded later. */
import { type MediaKind } from '#contract/chats/contents';

export const summaryTexts = {
  kinds: {
    photo: 'Photo',
    video: 'Video',
    animation: 'GIF',
    audio: 'Music',
    voice: 'Voice message',
    document: 'File',
    sticker: 'Sticker',
    video_note: 'Video message',
  } as const satisfies Record<MediaKind, string>,
  buttons: (count: number) => `${count} ${count === 1 ? 'button' : 'buttons'}`,
  lost: 'Its file is lost, because another bot stored it.',
  loading: 'Loading the text...',
} as const;
