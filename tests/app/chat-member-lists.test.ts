/** The tab "Moderation" of a chat's settings: what was done to members, their warnings, and who is approved. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import {
  listActions,
  listApprovals,
  listWarnings,
  removeApproval,
  removeWarnings,
  undoAction,
} from '#contract/endpoints/chat-members';
import {
  addAction,
  addApproval,
  addWarning,
  ann,
  type App,
  bo,
  openSection,
  salma,
  unseen,
} from '#tests/chat-sections';
import { takeChatAway } from '#tests/chats';
import { button, cats } from '#tests/open-settings';

const done = () => screen.findByRole('list', { name: 'What was done in the last 90 days' });
const rows = async () => within(await done()).queryAllByRole('listitem');
const row = async (text: string | RegExp) => {
  const found = await within(await done()).findByText(text);
  return found.closest('li') ?? found;
};
const publish = ({ testServer }: App, kind: 'action' | 'approvals') =>
  testServer.services.chatEvents.publish(cats, { kind });

const refused = {
  status: 409,
  body: { code: 'telegram_refused', detail: 'Telegram does not allow this here.' },
};

describe('what was done', () => {
  test('is told in sentences, the newest first', async () => {
    await openSection('moderation', {
      prepare: async (testServer) => {
        await addAction(testServer, 'ban', { reason: 'spam', days: 5 });
        await addAction(testServer, 'mute', { by: 1087968824, target: unseen, minutesAgo: 1 });
        await addAction(testServer, 'ban', { target: -1001112223334, minutesAgo: 2 });
        await addAction(testServer, 'promote', { target: salma, minutesAgo: 3 });
        await addAction(testServer, 'mute', { isUndone: true, minutesAgo: 4 });
        await addAction(testServer, 'report', { by: ann, target: bo, minutesAgo: 5 });
      },
    });

    await waitFor(async () => expect(await rows()).toHaveLength(6));
    const told = (await rows()).map((one) => one.textContent);
    expect(told[0]).toMatch(/^Bo banned Ann until 26 Nov 2026, \d\d:\d\d\. Reason: spam/);
    expect(told[1]).toMatch(/^An anonymous administrator muted Telegram ID 504\./);
    expect(told[2]).toMatch(/^Bo banned Telegram ID -1001112223334\./);
    expect(told[3]).toMatch(/^Bo made سلمى an administrator\./);
    expect(told[4]).toMatch(/^Bo muted Ann\..+Undone: /);
    expect(told[5]).toMatch(/^Ann reported Bo\./);
    expect(screen.getByText('سلمى', { selector: 'bdi' })).toBeVisible();
    expect(screen.getByText('This is all of the last 90 days.')).toBeVisible();
    // What was undone, and what cannot be undone, has no button.
    expect(screen.getAllByRole('button', { name: /^Undo: / })).toHaveLength(4);
  });

  test('says that there is nothing', async () => {
    await openSection('moderation');

    expect(await screen.findByText('Nothing was done in the last 90 days.')).toBeVisible();
  });

  test('is found by names and reasons, and says when nothing is found', async () => {
    const app = await openSection('moderation', {
      prepare: async (testServer) => {
        await addAction(testServer, 'ban', { reason: 'spam' });
        await addAction(testServer, 'kick', { target: salma, minutesAgo: 1 });
      },
    });
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    const search = screen.getByRole('searchbox', { name: 'Search names and reasons...' });

    await app.user.type(search, 'SPAM');
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(await row(/banned/)).toHaveTextContent('Bo banned Ann. Reason: spam');
    await app.user.type(search, ' of another kind');
    expect(await screen.findByText('Nothing found for this search.')).toBeVisible();
    // One call for each pause in typing, not for each letter.
    expect(app.server.requestsTo(listActions).length).toBeLessThan(8);

    await app.user.click(screen.getByRole('button', { name: 'Clear the search' }));
    await waitFor(async () => expect(await rows()).toHaveLength(2));
  });

  test('is read page by page', async () => {
    const app = await openSection('moderation', {
      prepare: async (testServer) => {
        for (let count = 0; count < 60; count += 1) {
          await addAction(testServer, 'kick', { minutesAgo: count, reason: `number ${count}` });
        }
      },
    });
    const first = (await rows()).length;
    expect(first).toBeLessThan(60);
    app.server.refuse(listActions, { status: 400 });
    await app.user.click(await button('Show more'));
    expect(await screen.findByText('More could not be loaded. Please try again.')).toBeVisible();
    expect(await rows()).toHaveLength(first);

    app.server.heal(listActions);
    while (screen.queryByRole('button', { name: 'Show more' }) !== null) {
      const before = (await rows()).length;
      await app.user.click(screen.getByRole('button', { name: 'Show more' }));
      await waitFor(async () => expect((await rows()).length).toBeGreaterThan(before));
    }

    expect(await rows()).toHaveLength(60);
    expect((await rows())[59]).toHaveTextContent('number 59');
  });

  test('that cannot be read says so, and can be read again', async () => {
    const app = await openSection('moderation', {
      onConnect: (network) => network.refuse(listActions, { status: 400 }),
    });
    expect(await screen.findByText('What was done could not be loaded.')).toBeVisible();

    app.server.heal(listActions);
    await app.user.click(await button('Try again'));

    expect(await screen.findByText('Nothing was done in the last 90 days.')).toBeVisible();
  });

  test('appears without a reload', async () => {
    const app = await openSection('moderation');
    await screen.findByText('Nothing was done in the last 90 days.');
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await addWarning(app.testServer, { id: 'w1' });
    publish(app, 'action');

    expect(await row(/warned/)).toHaveTextContent('Bo warned Ann.');
    expect(
      await screen.findByRole('button', { name: /^Take back: the warning of Ann/ }),
    ).toBeVisible();
  });
});

describe('undoing', () => {
  test('a warning says that it was undone, and the warning counts no longer', async () => {
    const app = await openSection('moderation', {
      prepare: (testServer) => addWarning(testServer, { id: 'w1', reason: 'caps' }),
    });
    expect(await screen.findByText('1 of 3')).toBeVisible();

    await app.user.click(await button('Undo: Bo warned Ann.'));

    await waitFor(async () => expect(await row(/^Undone: /)).toBeVisible());
    expect(await row(/warned/)).toHaveFocus();
    expect(screen.queryByRole('button', { name: /^Undo: Bo warned/ })).toBeNull();
    expect(await screen.findByText(/^No member has a warning that counts/)).toBeVisible();
  });

  test('that Telegram refuses says why at the row, and nothing is lost', async () => {
    const app = await openSection('moderation', {
      prepare: async (testServer) => {
        await addAction(testServer, 'ban');
        await addAction(testServer, 'mute', { target: salma, minutesAgo: 1 });
      },
    });
    app.server.refuse(undoAction, refused);

    await app.user.click(await button('Undo: Bo banned Ann.'));

    const said = await screen.findByRole('alert');
    expect(said).toHaveTextContent('Telegram does not allow this here.');
    expect(await row(/banned/)).toContainElement(said);
    expect(await button('Undo: Bo banned Ann.')).toHaveFocus();
    expect(await rows()).toHaveLength(2);

    app.server.refuse(undoAction, { status: 500 });
    await app.user.click(await button('Undo: Bo banned Ann.'));
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent(
        'This could not be undone. Please try again.',
      ),
    );
  });

  test('what another administrator has undone meanwhile shows that', async () => {
    const app = await openSection('moderation', {
      prepare: (testServer) => addWarning(testServer, { id: 'w1' }),
    });
    const undo = await button('Undo: Bo warned Ann.');
    await app.testServer.db.updateTable('actions').set({ undone_at: 1 }).execute();

    await app.user.click(undo);

    expect(await screen.findByText(/^Undone: /)).toBeVisible();
    expect(await screen.findByRole('alert')).toHaveTextContent(/cannot be undone/);
  });

  test('a promotion asks first', async () => {
    const app = await openSection('moderation', {
      prepare: (testServer) => addAction(testServer, 'promote'),
    });
    await app.user.click(await button('Undo: Bo made Ann an administrator.'));
    const question = await screen.findByRole('dialog', { name: 'Undo this promotion?' });
    expect(question).toHaveTextContent('Ann will be an administrator no longer.');

    await app.user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.server.requestsTo(undoAction)).toHaveLength(0);

    app.server.refuse(undoAction, refused);
    await app.user.click(await button('Undo: Bo made Ann an administrator.'));
    await app.user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Undo' }),
    );
    expect(await screen.findByRole('alert')).toHaveTextContent('Telegram does not allow this');
  });

  test('in a chat that the user manages no longer leads away', async () => {
    const app = await openSection('moderation', {
      prepare: (testServer) => addWarning(testServer, { id: 'w1' }),
    });
    const undo = await button('Undo: Bo warned Ann.');
    await takeChatAway(app.testServer, cats);

    await app.user.click(undo);

    expect(await screen.findByText(/^You no longer manage Cat lovers/)).toBeVisible();
  });
});

describe('warnings that count', () => {
  const several = async (testServer: App['testServer']) => {
    await addWarning(testServer, { id: 'w1', reason: 'spam' });
    await addWarning(testServer, { id: 'w2', reason: 'caps', minutesAgo: 1 });
    await addWarning(testServer, { id: 'w3', target: salma, minutesAgo: 2 });
  };
  const list = () => screen.findByRole('list', { name: 'Warnings that count' });
  const takeBacks = async () =>
    within(await list()).queryAllByRole('button', { name: /^Take back: / });

  test('are listed by member, and one of them is taken back', async () => {
    const app = await openSection('moderation', { prepare: several });
    expect(await list()).toHaveTextContent(/Ann2 of 3.+spam.+caps.+سلمى1 of 3/);
    const [first] = await takeBacks();

    await app.user.click(first ?? document.body);

    await waitFor(async () => expect(await takeBacks()).toHaveLength(2));
    expect(await list()).toHaveTextContent('Reason: caps');
    expect(await list()).not.toHaveTextContent('Reason: spam');
    expect(await list()).toHaveFocus();
  });

  test('of a member are taken back together, after a question', async () => {
    const app = await openSection('moderation', { prepare: several });
    await app.user.click(await button('Take back all: the warnings of Ann'));
    const question = await screen.findByRole('dialog', { name: 'Take back all warnings?' });
    expect(question).toHaveTextContent('Ann has 2 warnings.');
    await app.user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.server.requestsTo(removeWarnings)).toHaveLength(0);

    await app.user.click(await button('Take back all: the warnings of Ann'));
    await app.user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Take back all' }),
    );

    await waitFor(async () => expect(await takeBacks()).toHaveLength(1));
    expect(await list()).not.toHaveTextContent('Ann');
  });

  test('that cannot be taken back stay, with a reason', async () => {
    const app = await openSection('moderation', { prepare: several });
    app.server.refuse(removeWarnings, { status: 500 });

    await app.user.click(await button(/^Take back: the warning of سلمى/));

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This could not be taken back. Please try again.',
    );
    expect(await takeBacks()).toHaveLength(3);
  });

  test('follow the limit', async () => {
    const app = await openSection('moderation', { prepare: several });
    expect(await screen.findByText('2 of 3')).toBeVisible();

    await app.user.click(await button('One warning more'));

    expect(await screen.findByText('2 of 4')).toBeVisible();
  });

  test('of many members are shown on demand', async () => {
    const app = await openSection('moderation', {
      prepare: async (testServer) => {
        for (let count = 0; count < 14; count += 1) {
          await addWarning(testServer, { id: `w${count}`, target: 9000 + count });
        }
      },
    });
    await waitFor(async () => expect(await takeBacks()).toHaveLength(10));

    await app.user.click(await button('Show all 14 members'));

    expect(await takeBacks()).toHaveLength(14);
  });

  test('say how one is given, or that they cannot be read', async () => {
    const app = await openSection('moderation', {
      onConnect: (network) => network.refuse(listWarnings, { status: 400 }),
    });
    expect(await screen.findByText('The warnings could not be loaded.')).toBeVisible();

    app.server.heal(listWarnings);
    await app.user.click(await button('Try again'));

    expect(await screen.findByText(/gives one by \/warn as a reply\.$/)).toBeVisible();
  });
});

describe('approved members', () => {
  test('are listed, and an approval is ended', async () => {
    const app = await openSection('moderation', {
      prepare: async (testServer) => {
        await addApproval(testServer);
        await addApproval(testServer, salma);
      },
    });
    const list = await screen.findByRole('list', { name: 'Approved members' });
    expect(list).toHaveTextContent(/AnnBy Bo/);

    await app.user.click(await button('End: the approval of Ann'));

    await waitFor(() => expect(list).not.toHaveTextContent('Ann'));
    expect(list).toHaveTextContent('سلمى');
    expect(list).toHaveFocus();
  });

  test('stay when that is refused', async () => {
    const app = await openSection('moderation', { prepare: (server) => addApproval(server) });
    app.server.refuse(removeApproval, { status: 500 });

    await app.user.click(await button('End: the approval of Ann'));

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'The approval could not be ended. Please try again.',
    );
    expect(await button('End: the approval of Ann')).toBeVisible();
  });

  test('appear without a reload', async () => {
    const app = await openSection('moderation');
    expect(await screen.findByText(/approves one by \/approve as a reply\.$/)).toBeVisible();
    await waitFor(() => expect(app.server.openStreams()).toBe(1));

    await addApproval(app.testServer);
    publish(app, 'approvals');

    expect(await button('End: the approval of Ann')).toBeVisible();
  });

  test('that cannot be read say so', async () => {
    await openSection('moderation', {
      onConnect: (network) => network.refuse(listApprovals, { status: 400 }),
    });

    expect(await screen.findByText('The approved members could not be loaded.')).toBeVisible();
  });
});
