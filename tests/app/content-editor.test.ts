/** The editor of a content: the text with its formatting, buttons, a medium, and what becomes of what is typed. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { type ContentBody } from '#contract/chats/contents';
import { saveContent } from '#contract/endpoints/chat-contents';
import { editText, isMarked, type MarkedText, setLink, toggleMark } from '#lib/marked-text';
import {
  addContent,
  type App,
  openSection,
  setByCommand,
  storedContents,
} from '#tests/chat-sections';
import { button } from '#tests/open-settings';

const text = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
const preview = () => screen.getByRole('figure');
const tool = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name} \\(`) });

/** The editor of the rules of a group that has none. */
async function openEditor(options?: Parameters<typeof openSection>[1]): Promise<App> {
  const app = await openSection('content', options);
  await app.user.click(await button(/^Write the rules/));
  await text();
  return app;
}

async function select(from: number, to: number): Promise<void> {
  const field = await text();
  act(() => {
    field.focus();
    field.setSelectionRange(from, to);
    fireEvent.select(field);
  });
}

const save = async ({ user }: Pick<App, 'user'>) => user.click(await button('Save'));

/** The text that the server has once it is saved. */
async function saved(app: App): Promise<ContentBody> {
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [body, ...others] = await storedContents(app);
  expect(others).toEqual([]);
  if (body === undefined) {
    throw new Error('Nothing is stored.');
  }
  return body;
}

const bold = (offset: number, length: number) => ({ type: 'bold', offset, length }) as const;
const marked = (plain: string, ...entities: MarkedText['entities'][number][]): MarkedText => ({
  text: plain,
  entities,
});
/** What a field does: the text changes, and the caret stands after what is new. */
const type = (before: MarkedText, after: string, caret: number) =>
  editText(before, { text: after, caret });

describe('formatting moves along with what is typed', () => {
  // "bold" in "some bold words".
  const start = marked('some bold words', bold(5, 4));

  test.each([
    ['before it', 'no, some bold words', 4, bold(9, 4)],
    ['inside of it', 'some boXld words', 8, bold(5, 5)],
    ['right after it, which goes on', 'some boldX words', 10, bold(5, 5)],
    ['right before it, which does not', 'some Xbold words', 6, bold(6, 4)],
    ['after it', 'some bold words!', 16, bold(5, 4)],
  ])('%s', (_where, ...[after, caret, expected]) => {
    expect(type(start, after, caret)).toEqual(marked(after, expected));
  });

  test.each([
    ['before it', 'me bold words', 0, [bold(3, 4)]],
    ['the beginning of it', 'some ld words', 5, [bold(5, 2)]],
    ['its end and what follows', 'some bords', 7, [bold(5, 2)]],
    ['from before into it', 'sold words', 1, [bold(1, 3)]],
    ['all of it', 'some  words', 5, []],
    ['more than it', 'so words', 2, []],
  ])('what is deleted: %s', (_where, ...[after, caret, expected]) => {
    expect(type(start, after, caret)).toEqual(marked(after, ...expected));
  });

  test('between equal letters the caret says which one is new', () => {
    const one = marked('aaa', bold(1, 1));

    expect(type(one, 'aaaa', 1)).toEqual(marked('aaaa', bold(2, 1)));
    expect(type(one, 'aaaa', 3)).toEqual(marked('aaaa', bold(1, 2)));
    expect(type(one, 'aaaa', 4)).toEqual(marked('aaaa', bold(1, 1)));
  });

  test('signs of two code units are never cut', () => {
    // Both begin with the same half.
    const faces = marked('😀😀 x', bold(2, 2));

    expect(type(faces, '😀😁 x', 4)).toEqual(marked('😀😁 x', bold(2, 2)));
    expect(type(faces, '😀 x', 2).entities).toEqual([]);
    expect(type(faces, '👋😀😀 x', 2)).toEqual(marked('👋😀😀 x', bold(4, 2)));
  });

  test('a link does not go on, and an emoji of Telegram ends when it is changed', () => {
    const link = setLink(marked('see here'), { from: 4, to: 8 }, 'https://example.com');
    const emoji = { type: 'custom_emoji', offset: 0, length: 2, custom_emoji_id: '1' } as const;

    expect(type(link, 'see here!', 9).entities).toEqual(link.entities);
    expect(type(marked('👍 yes', emoji), '👍! yes', 3).entities).toEqual([emoji]);
    expect(type(marked('👍 yes', emoji), 'x yes', 1).entities).toEqual([]);
  });

  test('is what was there before, whatever is typed around it', () => {
    // Without any order: each step replaces a part by another, as typing, pasting and correcting do.
    let seed = 7;
    const random = (max: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % max;
    };
    for (let round = 0; round < 300; round += 1) {
      let now = marked('ab<😀cd>ef', bold(2, 6));
      for (let step = 0; step < 12; step += 1) {
        const brackets = [now.text.indexOf('<'), now.text.indexOf('>')] as const;
        const isBefore = random(2) === 0;
        const [low, high] = isBefore ? [0, brackets[0]] : [brackets[1] + 1, now.text.length];
        const from = low + random(high - low + 1);
        const to = from + random(high - from + 1);
        // Right after its end, typing goes on.
        const inserted = from === brackets[1] + 1 && from === to ? '' : 'xyz'.slice(random(4));
        const after = now.text.slice(0, from) + inserted + now.text.slice(to);
        now = type(now, after, from + inserted.length);
        const [entity] = now.entities;
        expect(now.text.slice(entity?.offset, (entity?.offset ?? 0) + (entity?.length ?? 0))).toBe(
          '<😀cd>',
        );
      }
    }
  });
});

describe('a formatting', () => {
  test('is given, joined with its neighbour, and taken away from a part', () => {
    const one = toggleMark(marked('one two three'), { from: 0, to: 3 }, 'bold');
    const two = toggleMark(one, { from: 3, to: 7 }, 'bold');
    const middle = toggleMark(
      toggleMark(two, { from: 3, to: 4 }, 'bold'),
      { from: 4, to: 5 },
      'bold',
    );

    expect(one.entities).toEqual([bold(0, 3)]);
    // Blanks at the ends of a selection have none.
    expect(two.entities).toEqual([bold(0, 3), bold(4, 3)]);
    expect(isMarked(two, { from: 4, to: 7 }, 'bold')).toBe(true);
    expect(isMarked(two, { from: 0, to: 7 }, 'bold')).toBe(false);
    expect(middle.entities).toEqual([bold(0, 4), bold(5, 2)]);
  });

  test('of code takes the place of others, and a quote holds whole lines', () => {
    const strong = toggleMark(marked('first\nsecond line'), { from: 6, to: 12 }, 'bold');

    expect(toggleMark(strong, { from: 6, to: 12 }, 'code').entities).toEqual([
      { type: 'code', offset: 6, length: 6 },
    ]);
    expect(toggleMark(strong, { from: 8, to: 8 }, 'blockquote').entities).toEqual([
      { type: 'blockquote', offset: 6, length: 11 },
      bold(6, 6),
    ]);
    expect(toggleMark(marked('a\nb'), { from: 0, to: 3 }, 'code').entities).toEqual([
      { type: 'pre', offset: 0, length: 3 },
    ]);
  });
});

describe('the text', () => {
  test('is typed, formatted by keys, and stored as Telegram wants it', async () => {
    const app = await openEditor();
    await app.user.type(await text(), ' Hello 👋 ');
    await app.user.keyboard('{Control>}b{/Control}new{Control>}b{/Control} friends ');
    expect(within(preview()).getByText('new').tagName).toBe('STRONG');

    await save(app);

    expect(await saved(app)).toEqual({
      text: 'Hello 👋 new friends',
      entities: [bold(9, 3)],
      buttons: [],
    });
  });

  test('is formatted by the toolbar, which the arrow keys go through', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Be kind');
    await select(3, 7);
    (await tool('Bold')).focus();

    await app.user.keyboard('{ArrowRight}{Enter}{End}{Enter}');

    expect(await tool('Code')).toHaveAttribute('aria-pressed', 'true');
    // Code takes no other formatting.
    expect(await tool('Italic')).toHaveAttribute('aria-pressed', 'false');
    expect(within(preview()).getByText('kind').tagName).toBe('CODE');
    await app.user.keyboard('{Enter}');
    expect(await tool('Code')).toHaveAttribute('aria-pressed', 'false');
  });

  test('has its steps undone and done again, with the formatting', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Be kind');
    await select(3, 7);
    await app.user.click(await tool('Spoiler'));
    await app.user.click(await text());
    expect(await tool('Spoiler')).toBeVisible();

    await app.user.keyboard('{Control>}z{/Control}');
    await select(3, 7);
    expect(await tool('Spoiler')).toHaveAttribute('aria-pressed', 'false');
    expect(await text()).toHaveValue('Be kind');
    await app.user.keyboard('{Control>}z{/Control}');
    expect(await text()).toHaveValue('');
    await app.user.keyboard('{Control>}y{/Control}{Control>}y{/Control}');

    expect(await text()).toHaveValue('Be kind');
    await select(3, 7);
    expect(await tool('Spoiler')).toHaveAttribute('aria-pressed', 'true');
  });

  test('gets a link at the selection, or with words of its own, and loses it', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Read here');
    await select(5, 9);
    await app.user.keyboard('{Control>}k{/Control}nonsense{Enter}');
    expect(await screen.findByText('Please enter an address, such as example.com.')).toBeVisible();
    const address = screen.getByRole('textbox', { name: 'Address' });
    expect(address).toHaveFocus();

    await app.user.clear(address);
    await app.user.keyboard('example.com/rules{Enter}');
    expect(await text()).toHaveFocus();
    await app.user.keyboard('{End} or {Control>}k{/Control}there');
    await app.user.type(screen.getByRole('textbox', { name: 'Address' }), 't.me/cats{Enter}');
    await save(app);

    expect(await saved(app)).toEqual({
      text: 'Read here or there',
      entities: [
        { type: 'text_link', offset: 5, length: 4, url: 'https://example.com/rules' },
        { type: 'text_link', offset: 13, length: 5, url: 'https://t.me/cats' },
      ],
      buttons: [],
    });
    await app.user.click(await button(/^Text of the rules/));
    await select(6, 6);
    await app.user.keyboard('{Control>}k{/Control}');
    await app.user.click(await button('Remove link'));
    expect(await tool('Link')).toHaveAttribute('aria-pressed', 'false');
  });

  test('gets names at the caret, which the preview fills in', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Welcome to !');
    await select(11, 11);
    await app.user.click(await button('Insert a name or a number'));
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      '{chatname}Name of the group',
      '{count}Number of members',
    ]);

    await app.user.keyboard('{Enter}');

    expect(await text()).toHaveValue('Welcome to {chatname}!');
    expect(await text()).toHaveFocus();
    expect(preview()).toHaveTextContent('Welcome to Cat lovers!');
  });

  test('that is empty or too long is not sent, and says why', async () => {
    const app = await openEditor();
    await app.user.click(await button('Add a button'));
    await save(app);
    expect(await screen.findByText('Please write a text, or attach something.')).toBeVisible();
    expect(await text()).toHaveFocus();
    await app.user.click(await button('New button, row 1, place 1'));
    await app.user.click(await button('Remove'));

    fireEvent.change(await text(), { target: { value: '👍'.repeat(2001) } });
    expect(await screen.findByText(/^2 characters too many/)).toBeVisible();
    expect(await text()).toHaveAccessibleDescription(/4002 of 4000 characters/);
    await save(app);
    expect(app.server.requestsTo(saveContent)).toHaveLength(0);

    fireEvent.change(await text(), { target: { value: '👍'.repeat(2000) } });
    await save(app);
    expect((await saved(app)).text).toHaveLength(4000);
  });
});

describe('the buttons', () => {
  const add = async ({ user }: App, label: string, address = 'example.com') => {
    await user.click(await button('Add a button'));
    await user.keyboard(label);
    await user.type(await screen.findByRole('textbox', { name: 'Address' }), `${address}{Enter}`);
  };
  const places = () =>
    within(screen.getByRole('region', { name: 'Buttons' }))
      .queryAllByRole('button', { name: /, row \d/ })
      .map((one) => one.getAttribute('aria-label'));

  test('stand in rows, are moved by the keyboard, and lead somewhere', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Rules');
    await add(app, 'Site');
    await app.user.click(await button('Add a button to row 1'));
    await app.user.keyboard('Wifi');
    await app.user.selectOptions(screen.getByRole('combobox', { name: 'Opens' }), 'A note');
    await app.user.type(screen.getByRole('textbox', { name: 'Name of the note' }), 'WiFi{Enter}');
    await waitFor(async () => expect(await button('Wifi, row 1, place 2')).toHaveFocus());

    await app.user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await waitFor(async () => expect(await button('Wifi, row 1, place 1')).toHaveFocus());
    await app.user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await waitFor(async () => expect(await button('Wifi, row 2, place 1')).toHaveFocus());
    await app.user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(places()).toEqual(['Site, row 1, place 1', 'Wifi, row 2, place 1']);
    await save(app);

    expect((await saved(app)).buttons).toEqual([
      [{ label: 'Site', url: 'https://example.com' }],
      [{ label: 'Wifi', to: 'note:wifi' }],
    ]);
  });

  test('with something wrong are opened at the wrong field, and removed', async () => {
    const app = await openEditor();
    await app.user.type(await text(), 'Rules');
    await add(app, 'Site', 'nowhere');
    await save(app);

    const field = await screen.findByRole('textbox', { name: 'Address' });
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveAccessibleDescription(/^Please enter an address/);
    expect(app.server.requestsTo(saveContent)).toHaveLength(0);
    await app.user.click(await button('Remove'));
    await save(app);
    expect((await saved(app)).buttons).toEqual([]);
  });

  test('are at most 20', async () => {
    const rows = Array.from({ length: 10 }, (_, row) => [
      { label: `a${row}`, url: 'https://example.com' },
      { label: `b${row}`, to: 'rules' as const },
    ]);
    const app = await openSection('content', {
      prepare: async (testServer) =>
        setByCommand(testServer, {
          rules_content: await addContent(testServer, {
            text: 'Rules',
            buttons: rows.with(0, [{ label: 'a0', url: 'https://example.com' }]),
          }),
        }),
    });
    await app.user.click(await button(/^Text of the rules/));
    await text();
    expect(places()).toHaveLength(19);

    await add(app, 'last');

    expect(places()).toHaveLength(20);
    expect(screen.queryByRole('button', { name: /^Add a button/ })).toBeNull();
    expect(screen.getByText('A message has at most 20 buttons.')).toBeVisible();
  });
});
