/** One message of each type in the shapes of the Bot API, which fills older fields beside newer ones. */
import { type MessageType } from '#contract/chats/message-types';

type Content = Readonly<Record<string, unknown>>;

const file = { file_id: 'file', file_unique_id: 'unique' };
const picture = [{ ...file, width: 90, height: 60 }];
const moving = { ...file, width: 320, height: 240, duration: 3 };
const place = { latitude: 48.2, longitude: 16.37 };
const otherChat = { id: -1_001_000_000_777, type: 'channel', title: 'News' };
const bot = { id: 555, is_bot: true, first_name: 'Gif', username: 'gif' };

/** Text whose first word has an entity. */
const marked = (type: string, more: Content = {}): Content => ({
  text: 'something and more',
  entities: [{ type, offset: 0, length: 9, ...more }],
});

export const samples: Readonly<Record<MessageType, Content>> = {
  photo: { photo: picture },
  video: { video: moving },
  animation: { animation: moving, document: file },
  audio: { audio: { ...file, duration: 3 } },
  voice: { voice: { ...file, duration: 3 } },
  video_note: { video_note: { ...file, length: 240, duration: 3 } },
  document: { document: file },
  sticker: { sticker: { ...file, type: 'regular', width: 512, height: 512 } },
  paid_media: { paid_media: { star_count: 5, paid_media: [{ type: 'preview' }] } },
  story: { story: { chat: otherChat, id: 4 } },
  poll: { poll: { id: '1', question: 'Tea?', options: [{ text: 'Yes' }, { text: 'No' }] } },
  checklist: { checklist: { title: 'To do', tasks: [{ id: 1, text: 'Tea' }] } },
  location: { location: place },
  venue: { venue: { location: place, title: 'Café', address: 'Ring 1' }, location: place },
  contact: { contact: { phone_number: '+43123', first_name: 'Ada' } },
  dice: { dice: { emoji: '🎲', value: 4 } },
  game: { game: { title: 'Chess', description: 'A game', photo: picture } },
  giveaway: { giveaway: { chats: [otherChat], winners_selection_date: 1, winner_count: 1 } },
  text: { text: 'Hello' },
  url: marked('url'),
  mention: marked('mention'),
  hashtag: marked('hashtag'),
  bot_command: marked('bot_command'),
  custom_emoji: marked('custom_emoji', { custom_emoji_id: '5' }),
  spoiler: marked('spoiler'),
  forward: {
    text: 'Hello',
    forward_origin: { type: 'hidden_user', date: 1, sender_user_name: 'Ada' },
  },
  via_bot: { text: 'Hello', via_bot: bot },
};

/** Other content of the same types. */
export const otherForms: readonly (readonly [name: string, type: MessageType, content: Content])[] =
  [
    ['a live photo', 'photo', { live_photo: moving, photo: picture }],
    ['the winners of a giveaway', 'giveaway', { giveaway_winners: { chat: otherChat } }],
    ['a link behind words', 'url', marked('text_link', { url: 'https://example.org' })],
    ['a user without a username', 'mention', marked('text_mention', { user: bot })],
    ['a cashtag', 'hashtag', marked('cashtag')],
    ['a picture under a spoiler', 'spoiler', { photo: picture, has_media_spoiler: true }],
    [
      'a forward from a channel',
      'forward',
      {
        ...samples.photo,
        forward_origin: { type: 'channel', date: 1, chat: otherChat, message_id: 3 },
      },
    ],
    [
      'a rich message',
      'text',
      { rich_message: { blocks: [{ type: 'paragraph', text: 'Hello' }] } },
    ],
  ];

const rich = (...blocks: readonly Content[]): Content => ({ rich_message: { blocks } });
const paragraph = (...text: readonly unknown[]): Content => ({ type: 'paragraph', text });
const button = (more: Content): Content => ({
  text: 'Hello',
  reply_markup: {
    inline_keyboard: [[{ text: 'Rules', callback_data: 'r' }], [{ text: 'Go', ...more }]],
  },
});
const poll = (more: Content): Content => ({
  poll: { id: '1', question: 'Tea?', options: [{ text: 'Yes' }], ...more },
});
const link = { link: { url: 'https://example.org' } };
const entity = (type: string) => [{ type, offset: 0, length: 3 }];

/** Places in newer kinds of messages that can have what older ones have in their text. */
export const hidingPlaces: readonly (readonly [
  place: string,
  type: MessageType,
  content: Content,
])[] = [
  ['a button that opens a page', 'url', button({ url: 'https://example.org' })],
  ['a button that logs in', 'url', button({ login_url: { url: 'https://example.org' } })],
  ['a button that opens an app', 'url', button({ web_app: { url: 'https://example.org' } })],
  [
    'a preview of a page that the text does not name',
    'url',
    { text: 'Hi', link_preview_options: { url: 'https://example.org' } },
  ],
  [
    'the description of a poll',
    'url',
    poll({ description: 'See', description_entities: entity('url') }),
  ],
  ['a link beside a poll', 'url', poll({ media: link })],
  ['an option of a poll', 'url', poll({ options: [{ text: 'Yes' }, { text: 'No', media: link }] })],
  [
    'the words of an option',
    'custom_emoji',
    poll({ options: [{ text: 'Yes', text_entities: entity('custom_emoji') }] }),
  ],
  ['the question of a poll', 'custom_emoji', poll({ question_entities: entity('custom_emoji') })],
  [
    'the explanation of a quiz',
    'mention',
    poll({ explanation: 'See', explanation_entities: entity('mention') }),
  ],
  ['a link in the explanation of a quiz', 'url', poll({ explanation_media: link })],
  ['a picture in a poll', 'photo', poll({ media: { photo: picture } })],
  [
    'the title of a checklist',
    'hashtag',
    { checklist: { title: 'To do', title_entities: entity('hashtag'), tasks: [] } },
  ],
  [
    'a task of a checklist',
    'url',
    {
      checklist: { title: 'To do', tasks: [{ id: 1, text: 'See', text_entities: entity('url') }] },
    },
  ],
  [
    'the words of a game',
    'bot_command',
    { game: { title: 'Chess', photo: picture, text_entities: entity('bot_command') } },
  ],
  [
    'a paragraph',
    'url',
    rich(
      paragraph('See ', {
        type: 'bold',
        text: [{ type: 'url', text: 'here', url: 'https://example.org' }],
      }),
    ),
  ],
  ['an anchor', 'url', rich({ type: 'anchor', name: 'top' })],
  [
    'a jump to an anchor',
    'url',
    rich(paragraph({ type: 'anchor_link', text: 'up', anchor_name: 'top' })),
  ],
  [
    'a list in a quotation',
    'mention',
    rich({
      type: 'blockquote',
      blocks: [
        {
          type: 'list',
          items: [
            { label: '1', blocks: [paragraph({ type: 'mention', text: '@ada', username: 'ada' })] },
          ],
        },
      ],
    }),
  ],
  [
    'a cell of a table',
    'hashtag',
    rich({
      type: 'table',
      cells: [
        [{ align: 'left', valign: 'top', text: { type: 'cashtag', text: '$USD', cashtag: 'USD' } }],
      ],
    }),
  ],
  [
    'what a reader unfolds',
    'bot_command',
    rich({
      type: 'details',
      summary: 'More',
      blocks: [paragraph({ type: 'bot_command', text: '/go', bot_command: 'go' })],
    }),
  ],
  [
    'a caption',
    'custom_emoji',
    rich({
      type: 'map',
      location: place,
      caption: { text: { type: 'custom_emoji', custom_emoji_id: '5', alternative_text: '🙂' } },
    }),
  ],
  [
    'a credit',
    'spoiler',
    rich({ type: 'pullquote', text: 'Hi', credit: { type: 'spoiler', text: 'Ada' } }),
  ],
  ['a covered picture', 'spoiler', rich({ type: 'photo', photo: picture, has_spoiler: true })],
  [
    'a picture between paragraphs',
    'photo',
    rich(paragraph('Look'), { type: 'photo', photo: picture }),
  ],
  ['a collage', 'video', rich({ type: 'collage', blocks: [{ type: 'video', video: moving }] })],
  ['a voice between paragraphs', 'voice', rich({ type: 'voice_note', voice_note: file })],
  [
    'a button in a paragraph',
    'url',
    rich(paragraph({ type: 'button', button: { text: 'Go', url: 'https://example.org' } })),
  ],
  [
    'a row of buttons',
    'url',
    rich({ type: 'buttons', buttons: [{ text: 'Go', login_url: { url: 'https://example.org' } }] }),
  ],
  [
    'a block that is newer than this',
    'url',
    rich({
      type: 'hologram',
      surface: { faces: [{ words: { type: 'url', text: 'x', url: 'https://example.org' } }] },
    }),
  ],
];
