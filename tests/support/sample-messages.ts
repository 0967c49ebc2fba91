/** One message of each type in the shapes of the Bot API, which fills older fields beside newer ones. */
import { type MessageType } from '#contract/chats/message-types';

type Content = Readonly<Record<string, unknown>>;

const file = { file_id: 'file', file_unique_id: 'unique' };
const picture = [{ ...file, width: 90, height: 60 }];
const moving = { ...file, width: 320, height: 240, duration: 3 };
const place = { latitude: 48.2, longitude: 16.37 };
const otherChat = { id: -1_001_000_000_777, type: 'channel', title: 'News' };
const channelPost = { type: 'channel', date: 1, chat: otherChat, message_id: 3 };
const newcomer = { id: 9, is_bot: false, first_name: 'Zoe' };
/** In whose name all who write as a channel do. */
const channelBot = {
  id: 136_817_688,
  is_bot: true,
  first_name: 'Channel',
  username: 'Channel_Bot',
};
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
  external_reply: {
    text: 'Look there',
    external_reply: { origin: channelPost, chat: otherChat, message_id: 3, photo: picture },
    quote: { text: 'Buy now', position: 0 },
  },
  quote: { text: 'So do I', quote: { text: 'I like tea', position: 0, is_manual: true } },
  email: marked('email'),
  phone_number: marked('phone_number'),
  gift: { gift: { gift: { id: '1', sticker: file, star_count: 15 } } },
  invoice: {
    invoice: { title: 'Tea', description: 'Green', start_parameter: 'tea', currency: 'XTR' },
  },
  channel_sender: { text: 'Hello', from: channelBot, sender_chat: otherChat },
  // As code it is no link for Telegram, and copied with one tap.
  invite_link: { text: 't.me/+AbCd_Ef-12', entities: [{ type: 'code', offset: 0, length: 16 }] },
  new_member: { new_chat_members: [newcomer] },
  left_member: { left_chat_member: newcomer },
  pinned_message: {
    pinned_message: { message_id: 5, chat: otherChat, date: 1, photo: picture },
  },
  title_change: { new_chat_title: 'https://example.org' },
  photo_change: { new_chat_photo: picture },
  topic_change: { forum_topic_closed: {} },
  list_change: {
    checklist_tasks_added: {
      tasks: [{ id: 1, text: 'something', text_entities: [{ type: 'url', offset: 0, length: 9 }] }],
    },
  },
  video_chat: { video_chat_started: {} },
  boost: { boost_added: { boost_count: 1 } },
  other_service: { chat_owner_changed: { new_owner: newcomer } },
};

const inviteLink = (address: string): Content => ({
  text: `Join ${address}!`,
  entities: [{ type: 'url', offset: 5, length: address.length }],
});

/** Other content of the same types. */
export const otherForms: readonly (readonly [name: string, type: MessageType, content: Content])[] =
  [
    ['a live photo', 'photo', { live_photo: moving, photo: picture }],
    ['the winners of a giveaway', 'giveaway', { giveaway_winners: { chat: otherChat } }],
    ['a link behind words', 'url', marked('text_link', { url: 'https://example.org' })],
    ['a user without a username', 'mention', marked('text_mention', { user: bot })],
    ['a cashtag', 'hashtag', marked('cashtag')],
    ['a picture under a spoiler', 'spoiler', { photo: picture, has_media_spoiler: true }],
    ['a forward from a channel', 'forward', { ...samples.photo, forward_origin: channelPost }],
    ['the post of a guest bot', 'via_bot', { text: 'Hello', guest_bot_caller_user: newcomer }],
    [
      'the post of a guest bot that a channel has called',
      'via_bot',
      { text: 'Hello', guest_bot_caller_chat: otherChat },
    ],
    [
      'a reply to a story of another chat',
      'external_reply',
      { text: 'Nice', reply_to_story: { chat: otherChat, id: 4 } },
    ],
    [
      'a reply to a user who hides where the message is',
      'external_reply',
      {
        text: 'Nice',
        external_reply: { origin: { type: 'hidden_user', date: 1, sender_user_name: 'Ada' } },
      },
    ],
    ['a unique gift', 'gift', { unique_gift: { gift: { name: 'Cake-1' }, origin: 'transfer' } }],
    ['the upgrade of a gift', 'gift', { gift_upgrade_sent: { gift: { id: '1' } } }],
    ['an invite link', 'invite_link', inviteLink('https://t.me/+AbCdEf')],
    ['an older invite link', 'invite_link', inviteLink('telegram.me/joinchat/AAAAAE1234')],
    ['an invite link of the other host', 'invite_link', inviteLink('www.telegram.dog/+AbCdEf')],
    ['an invite link without a page', 'invite_link', inviteLink('tg://join?invite=AbCdEf')],
    ['an invite link to a folder of chats', 'invite_link', inviteLink('https://t.me/addlist/AbC')],
    ['a written plus sign', 'invite_link', inviteLink('HTTPS://T.ME/%2BAbCdEf?x=1')],
    ['an invite link behind words', 'invite_link', marked('text_link', { url: 't.me/+AbCdEf' })],
    [
      'an invite link in a caption',
      'invite_link',
      { ...samples.photo, caption: 'See t.me/+AbCdEf', caption_entities: [] },
    ],
    [
      'a rich message',
      'text',
      { rich_message: { blocks: [{ type: 'paragraph', text: 'Hello' }] } },
    ],
  ];

/** Service messages: other forms of the types above. */
export const serviceForms: readonly (readonly [type: MessageType, content: Content])[] = [
  ['new_member', { community_chat_joined: { chat: otherChat } }],
  ['photo_change', { delete_chat_photo: true }],
  ['topic_change', { forum_topic_edited: { name: 'Tea' } }],
  ['topic_change', { forum_topic_reopened: {} }],
  ['topic_change', { general_forum_topic_hidden: {} }],
  ['topic_change', { general_forum_topic_unhidden: {} }],
  ['list_change', { checklist_tasks_done: { marked_as_done_task_ids: [1] } }],
  ['list_change', { poll_option_added: { option_text: 'Maybe' } }],
  ['list_change', { poll_option_deleted: { option_text: 'Maybe' } }],
  ['video_chat', { video_chat_scheduled: { start_date: 1 } }],
  ['video_chat', { video_chat_ended: { duration: 3 } }],
  ['video_chat', { video_chat_participants_invited: { users: [newcomer] } }],
  ['boost', { giveaway_created: {} }],
  ['boost', { giveaway_completed: { winner_count: 1 } }],
  ['other_service', { message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 } }],
  ['other_service', { chat_background_set: { type: { type: 'fill' } } }],
  ['other_service', { chat_owner_left: {} }],
  ['other_service', { community_chat_added: {} }],
  ['other_service', { community_chat_removed: {} }],
  ['other_service', { paid_message_price_changed: { paid_message_star_count: 5 } }],
  ['other_service', { direct_message_price_changed: { are_direct_messages_enabled: true } }],
  ['other_service', { proximity_alert_triggered: { distance: 5 } }],
  ['other_service', { successful_payment: { currency: 'XTR', total_amount: 5 } }],
  ['other_service', { refunded_payment: { currency: 'XTR', total_amount: 5 } }],
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
  ['a button that joins a chat', 'invite_link', button({ url: 'tg://join?invite=AbCdEf' })],
  [
    'a preview of a chat to join',
    'invite_link',
    { text: 'Hi', link_preview_options: { url: 'https://t.me/+AbCdEf' } },
  ],
  ['an option of a poll', 'invite_link', poll({ options: [{ text: 't.me/+AbCdEf' }] })],
  [
    'a cell of a rich table',
    'invite_link',
    rich({
      type: 'table',
      cells: [[{ text: ['See ', { type: 'bold', text: ['t.me/joinchat/AbCdEf'] }] }]],
    }),
  ],
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
  [
    'an address in a paragraph',
    'email',
    rich(paragraph({ type: 'email_address', text: 'a@example.org', email_address: 'a@b.org' })),
  ],
  ['a number in a poll', 'phone_number', poll({ question_entities: entity('phone_number') })],
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
