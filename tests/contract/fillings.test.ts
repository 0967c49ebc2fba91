/** What the bot sends names people and counts, and its formatting stays where it was. */
import { expect, test } from 'vitest';

import { type ContentEntity } from '#contract/chats/contents';
import { cutText, type Fillings, fillText } from '#contract/chats/fillings';

const ann = { id: 7, first_name: 'Ann', last_name: 'Lee', username: 'ann' };
const fillings: Fillings = {
  people: [ann],
  chatName: 'Cats',
  count: 12,
  rules: { label: 'rules', url: 'https://t.me/nori?start=rules_-100' },
};

const bold = (offset: number, length: number): ContentEntity => ({ type: 'bold', offset, length });

/** What the formatting of a text covers, by its kind. */
function marked({ text, entities }: ReturnType<typeof fillText>, type: string): readonly string[] {
  return entities
    .filter((entity) => entity.type === type)
    .map(({ offset, length }) => text.slice(offset, offset + length));
}

test('every filling says what it stands for', () => {
  const text = '{first} {last} {username} {id} {chatname} {count} {other}';
  expect(fillText({ text, entities: [] }, fillings).text).toBe('Ann Lee @ann 7 Cats 12 {other}');
});

test('formatting beside emoji stays on the same words', () => {
  // Each of these is two UTF-16 code units or more.
  const text = '👋🏽 {first}, 👨‍👩‍👧 welcome to {chatname}! 🎉 Bye';
  const at = (word: string) => text.indexOf(word);
  const filled = fillText(
    {
      text,
      entities: [
        bold(at('{first}'), 7),
        { type: 'italic', offset: at('welcome'), length: 7 },
        { type: 'underline', offset: at('🎉'), length: 6 },
      ],
    },
    { ...fillings, people: [{ id: 7, first_name: '🐈 Ann 🐈' }] },
  );
  expect(filled.text).toBe('👋🏽 🐈 Ann 🐈, 👨‍👩‍👧 welcome to Cats! 🎉 Bye');
  expect(marked(filled, 'bold')).toEqual(['🐈 Ann 🐈']);
  expect(marked(filled, 'italic')).toEqual(['welcome']);
  expect(marked(filled, 'underline')).toEqual(['🎉 Bye']);
});

test('formatting that begins within a filling covers all of it, and on an empty one there is none', () => {
  const half = fillText({ text: 'Hi {first}!', entities: [bold(4, 3)] }, fillings);
  expect(marked(half, 'bold')).toEqual(['Ann']);
  const { last_name: _last, ...short } = ann;
  const empty = fillText(
    { text: 'Hi {last}', entities: [bold(3, 6)] },
    { ...fillings, people: [short] },
  );
  expect(empty).toEqual({ text: 'Hi ', entities: [] });
});

test('a name is never markup, and names no filling', () => {
  const people = [{ id: 7, first_name: '*b* <i>{chatname}</i> [x](https://x.example)' }];
  const filled = fillText({ text: '{first}', entities: [] }, { ...fillings, people });
  expect(filled).toEqual({ text: people[0]?.first_name, entities: [] });
});

test('a name does not turn the direction of what follows it', () => {
  const people = [{ id: 7, first_name: 'Ann\u202E' }];
  const filled = fillText({ text: '{mention} is here', entities: [] }, { ...fillings, people });
  expect(filled.text).toBe('Ann is here');
  expect(marked(filled, 'text_mention')).toEqual(['Ann']);
});

test('a mention is a link to the person, also for those without a @name', () => {
  const { username: _name, ...unnamed } = ann;
  const filled = fillText(
    { text: '😀 {username}', entities: [] },
    { ...fillings, people: [unnamed] },
  );
  expect(filled.entities).toEqual([
    {
      type: 'text_mention',
      offset: 3,
      length: 3,
      user: { id: 7, is_bot: false, first_name: 'Ann' },
    },
  ]);
});

test('code takes no link to a person', () => {
  const code: ContentEntity = { type: 'code', offset: 0, length: 9 };
  const filled = fillText({ text: '{mention}', entities: [code] }, fillings);
  expect(filled).toEqual({ text: 'Ann', entities: [{ type: 'code', offset: 0, length: 3 }] });
});

test('the rules are a link where the chat has some, and else a word', () => {
  const content = { text: 'Read the {rules}.', entities: [] };
  expect(fillText(content, fillings).entities).toEqual([
    { type: 'text_link', offset: 9, length: 5, url: 'https://t.me/nori?start=rules_-100' },
  ]);
  const without = fillText(content, { ...fillings, rules: { label: 'rules' } });
  expect(without).toEqual({ text: 'Read the rules.', entities: [] });
});

test('several people are named together, ten at most', () => {
  const crowd = Array.from({ length: 13 }, (_, index) => ({
    id: index + 1,
    first_name: `P${index}`,
  }));
  const content = { text: 'Hello {mention}!', entities: [] };
  const three = fillText(content, { ...fillings, people: crowd.slice(0, 3) });
  expect(three.text).toBe('Hello P0, P1, P2!');
  expect(marked(three, 'text_mention')).toEqual(['P0', 'P1', 'P2']);
  const all = fillText(content, { ...fillings, people: crowd });
  expect(all.text).toBe('Hello P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, +3!');
});

test('what is longer than Telegram takes is cut, and never within an emoji', () => {
  const people = [{ id: 7, first_name: '👩‍🚀'.repeat(12) }];
  const text = '{first}'.repeat(200);
  const filled = fillText(
    { text, entities: [bold(0, text.length)] },
    { ...fillings, people },
    1024,
  );
  expect(filled.text).toBe('👩‍🚀'.repeat(204));
  expect(filled.entities).toEqual([bold(0, 1020)]);
  expect(cutText('ab😀', 3)).toBe('ab');
  expect(cutText('👨‍👩‍👧👨‍👩‍👧', 9)).toBe('👨‍👩‍👧');
});
