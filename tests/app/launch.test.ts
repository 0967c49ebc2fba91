/** Reading launch data from any address: the page opens, and valid data is used. */
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { readLaunchAddress, takeLaunch, withoutLaunch } from '#lib/launch';
import { tabMarks } from '#lib/storage';
import { signLaunchData } from '#tests/launch-data';

const botToken = '1:token-of-tests';
const user = {
  id: 99281932,
  first_name: 'Mika & Co',
  photo_url: 'https://t.me/i/userpic/320/mika.svg',
};
const theme = { bg_color: '#ffffff', text_color: '#000000' };
const initData = signLaunchData({
  user,
  botToken,
  signedAt: 1_795_000_000_000,
  fields: { start_param: 'chat_-100' },
});

/** A hash as Telegram's server builds it. */
function toHash(params: Readonly<Record<string, string>>): string {
  return `#${Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
}

const classic = {
  tgWebAppData: initData,
  tgWebAppVersion: '9.1',
  tgWebAppPlatform: 'ios',
  tgWebAppThemeParams: JSON.stringify(theme),
};

function visit(address: string): void {
  window.history.replaceState({ kept: true }, '', address);
}

function read(hash: string, search = '') {
  return readLaunchAddress({ hash, search });
}

describe('reading the address', () => {
  test('a launch has the user, the start parameter and the palette, and the signed part unchanged', () => {
    expect(read(toHash(classic))).toEqual({
      initData,
      telegramId: '99281932',
      firstName: 'Mika & Co',
      photoUrl: user.photo_url,
      startParam: 'chat_-100',
      version: '9.1',
      client: 'ios',
      palette: theme,
    });
  });

  test('signed data twice, as in a link that others have made, is no launch', () => {
    const theirs = signLaunchData({ user: { id: 666 }, botToken, signedAt: 0 });
    const [ours, others] = [toHash(classic), toHash({ tgWebAppData: theirs })];

    for (const hash of [
      `${others}&${ours.slice(1)}`,
      `${ours}&${others.slice(1)}`,
      `#/home?${others.slice(1)}&${ours.slice(1)}`,
      `${ours}&tgWebAppDat%61=${encodeURIComponent(theirs)}`,
    ]) {
      expect(read(hash)).toBeUndefined();
    }
  });

  test('a missing hash, a hash of the page and a similar hash are no launch', () => {
    for (const hash of ['', '#', '#section', '#a=b&mytgWebApp=1', '#/route?x=1']) {
      expect(read(hash)).toBeUndefined();
    }
  });

  test('signed data that a host did not encode is found completely', () => {
    const launch = read(
      `#tgWebAppData=${initData}&tgWebAppVersion=8.0&tgWebAppPlatform=android&tgWebAppThemeParams=${encodeURIComponent('{}')}`,
    );

    expect(launch).toMatchObject({ initData, telegramId: '99281932', version: '8.0' });
  });

  test('data without a signature, as from older clients, stays unchanged', () => {
    const old = new URLSearchParams(initData);
    old.delete('signature');

    expect(read(toHash({ ...classic, tgWebAppData: old.toString() }))?.initData).toBe(
      old.toString(),
    );
  });

  test('a launch from a keyboard button has no user', () => {
    for (const data of [{ tgWebAppData: '' }, {}]) {
      expect(
        read(toHash({ tgWebAppVersion: '7.0', tgWebAppPlatform: 'tdesktop', ...data })),
      ).toMatchObject({ initData: undefined, telegramId: undefined, version: '7.0' });
    }
  });

  test('only valid colours are read, in all formats of the clients', () => {
    const odd = {
      bg_color: '#FFF',
      text_color: '#1A2B3C',
      hint_color: 'red',
      link_color: 'url(javascript:alert(1))',
      button_color: -14_145_496,
      header_bg_color: null,
      'x;}': '#000000',
    };

    expect(read(toHash({ ...classic, tgWebAppThemeParams: JSON.stringify(odd) }))?.palette).toEqual(
      { bg_color: '#ffffff', text_color: '#1a2b3c', button_color: '#282828' },
    );
  });

  test.each(['{not json', '', 'null', '[]', '"#ffffff"', '7'])(
    'an invalid theme (%j) is an empty palette, and the rest is read',
    (given) => {
      expect(read(toHash({ ...classic, tgWebAppThemeParams: given }))).toMatchObject({
        palette: {},
        telegramId: '99281932',
      });
    },
  );

  test('the start parameter may be in the query, in the hash, or in both', () => {
    const withStart = { ...classic, tgWebAppStartParam: 'chat_2' };

    expect(read(toHash(classic), '?tgWebAppStartParam=chat_1')?.startParam).toBe('chat_1');
    expect(read(toHash(withStart))?.startParam).toBe('chat_2');
    expect(read(toHash(withStart), '?a=1&tgWebAppStartParam=chat_1')?.startParam).toBe('chat_1');
  });

  test('a start parameter with characters that Telegram does not allow is ignored', () => {
    const plain = { ...classic, tgWebAppData: '' };
    for (const bad of ['', 'a b', '../x', 'ä', 'x'.repeat(513)]) {
      expect(
        read(toHash(plain), `?tgWebAppStartParam=${encodeURIComponent(bad)}`)?.startParam,
      ).toBeUndefined();
    }
  });

  test('a hash of the bot in front of Telegram’s does not hide Telegram’s', () => {
    expect(read(`#/home?${toHash(classic).slice(1)}`)?.telegramId).toBe('99281932');
    expect(read(`#own=1&${toHash(classic).slice(1)}`)?.telegramId).toBe('99281932');
  });

  test('an invalid ID, name or picture of the user is ignored', () => {
    const odd = signLaunchData({
      user: { id: '12; drop', first_name: 7, photo_url: 'javascript:alert(1)' },
      botToken,
      signedAt: 0,
    });

    expect(read(toHash({ ...classic, tgWebAppData: odd }))).toMatchObject({
      initData: odd,
      telegramId: undefined,
      firstName: undefined,
      photoUrl: undefined,
    });
  });

  test('invalid percent encoding and very long addresses do not throw', () => {
    expect(read('#tgWebAppData=%E0%A4%A&tgWebAppVersion=%%%&tgWebAppPlatform=%00')).toMatchObject({
      telegramId: undefined,
      version: '6.0',
      client: 'unknown',
    });
    expect(
      read(`#tgWebAppVersion=9.0&tgWebAppData=${'%7B'.repeat(400_000)}`)?.initData,
    ).toBeUndefined();
  });

  test('no address makes it throw', () => {
    const key = fc.constantFrom(
      'tgWebAppData',
      'tgWebAppVersion',
      'tgWebAppPlatform',
      'tgWebAppThemeParams',
      'tgWebAppStartParam',
      'user',
      'x',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.string().map(encodeURIComponent),
      fc.constantFrom('%', '%zz', '%E0%A4%A', initData, encodeURIComponent(initData)),
    );
    const query = fc
      .array(fc.tuple(key, fc.constantFrom('=', '', '=='), value), { maxLength: 8 })
      .map((pairs) => pairs.map((parts) => parts.join('')).join('&'));

    fc.assert(
      fc.property(fc.constantFrom('#', '#?', '#/a?', ''), query, query, (start, hash, search) => {
        const launch = read(start + hash, `?${search}`);

        expect(launch?.version ?? '6.0').toMatch(/^[\d.]+$/);
        for (const color of Object.values(launch?.palette ?? {})) {
          expect(color).toMatch(/^#[\da-f]{6}$/);
        }
        expect(launch?.telegramId ?? '1').toMatch(/^[1-9]\d*$/);
        expect(withoutLaunch({ pathname: '/', search: '', hash: start + hash })).not.toMatch(
          /[#?&]tgWebApp[A-Z]/,
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('removing it from the address', () => {
  beforeEach(() => {
    tabMarks.write('launch', undefined);
    Object.assign(window, { TelegramWebviewProxy: { postEvent: () => undefined } });
  });
  afterEach(() => {
    Reflect.deleteProperty(window, 'TelegramWebviewProxy');
    window.history.replaceState(null, '', '/');
  });

  test('the address keeps its own query, and Telegram’s part is removed', () => {
    visit(`/privacy?a=1&tgWebAppStartParam=x&b=%20${toHash(classic)}`);

    const opening = takeLaunch();

    expect(opening).toMatchObject({ isFresh: true, data: { telegramId: '99281932' } });
    expect(window.location.pathname + window.location.search + window.location.hash).toBe(
      '/privacy?a=1&b=%20',
    );
    expect(window.history.state).toEqual({ kept: true });
  });

  test('a hash that is not Telegram’s stays', () => {
    visit('/privacy#contact');

    takeLaunch();

    expect(window.location.hash).toBe('#contact');
  });

  test('after a reload the launch is found again, and is not fresh', () => {
    visit(`/${toHash(classic)}`);
    takeLaunch();

    expect(takeLaunch()).toMatchObject({ isFresh: false, data: { initData, client: 'ios' } });
  });

  test('a copied address in a normal browser opens the website, and is cleaned', () => {
    Reflect.deleteProperty(window, 'TelegramWebviewProxy');
    visit(`/login${toHash(classic)}`);

    expect(takeLaunch()).toBeUndefined();
    expect(window.location.hash).toBe('');
    expect(tabMarks.read('launch')).toBeUndefined();
  });

  test('a bridge without launch data is a launch, too', () => {
    visit('/');

    expect(takeLaunch()).toMatchObject({ isFresh: false, data: { version: '6.0' } });
  });
});
