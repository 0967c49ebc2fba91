/** The messages to Telegram's client: buttons, colours, sizes and haptics. */
import { describe, expect, test, vi } from 'vitest';

import { palette, settled, useTestPlatform } from '#tests/test-boot';

const { client, open, sent } = useTestPlatform();

describe('start', () => {
  test('the client’s loader is removed once, after the first paint', async () => {
    const platform = await open();
    expect(sent('web_app_ready')).toHaveLength(0);

    platform.ready();
    platform.ready();

    expect(sent('web_app_ready')).toHaveLength(1);
  });

  test('swipes stay as they are, and styles of the client are ignored', async () => {
    await open();

    client().emit('set_custom_style', 'body { display: none }');

    expect(sent('web_app_setup_swipe_behavior')).toHaveLength(0);
    expect(document.head.innerHTML).not.toContain('display: none');
  });

  test('insets and height become CSS variables, on both kinds of app', async () => {
    await open();
    await settled();
    client().emit('content_safe_area_changed', { top: 46, bottom: 0, left: 0, right: 0 });

    const { style } = document.documentElement;
    expect(style.getPropertyValue('--tg-viewport-safe-area-inset-top')).toBe('47px');
    expect(style.getPropertyValue('--tg-viewport-safe-area-inset-bottom')).toBe('34px');
    expect(style.getPropertyValue('--tg-viewport-content-safe-area-inset-top')).toBe('46px');
    expect(style.getPropertyValue('--tg-viewport-stable-height')).toBe(`${window.innerHeight}px`);
  });

  test('a height that is still changing does not change the stable height', async () => {
    await open();
    await settled();
    client().emit('viewport_changed', { height: 300, is_state_stable: false, is_expanded: true });

    const { style } = document.documentElement;
    expect(style.getPropertyValue('--tg-viewport-height')).toBe('300px');
    expect(style.getPropertyValue('--tg-viewport-stable-height')).toBe(`${window.innerHeight}px`);
  });

  test.each([{ top: 'x' }, null, 'rubbish', { top: Number.NaN, bottom: -4 }])(
    'invalid insets (%j) change nothing',
    async (rubbish) => {
      await open();
      await settled();
      client().emit('safe_area_changed', rubbish);

      const { style } = document.documentElement;
      expect(style.getPropertyValue('--tg-viewport-safe-area-inset-top')).toBe('47px');
      expect(style.getPropertyValue('--tg-viewport-safe-area-inset-bottom')).toBe('34px');
    },
  );

  test('a slow Android phone is recognised by its user agent', async () => {
    vi.stubGlobal('navigator', {
      userAgent: 'Mozilla/5.0 … Telegram-Android/11.3.3 (Xiaomi Redmi 9A; Android 10; SDK 29; LOW)',
    });
    expect((await open({ app: 'android' })).isLowPower).toBe(true);

    vi.stubGlobal('navigator', {
      userAgent: 'Mozilla/5.0 … Telegram-Android/11.3.3 (Google Pixel 9; Android 16; SDK 36; HIGH)',
    });
    expect((await open({ app: 'android' })).isLowPower).toBe(false);
  });
});

describe('haptics', () => {
  test('each kind is sent as Telegram’s kind', async () => {
    const platform = await open();

    platform.haptic('selection');
    platform.haptic('light');
    platform.haptic('medium');
    platform.haptic('success');
    platform.haptic('warning');
    platform.haptic('error');

    expect(sent('web_app_trigger_haptic_feedback')).toEqual([
      { type: 'selection_change' },
      { type: 'impact', impact_style: 'light' },
      { type: 'impact', impact_style: 'medium' },
      { type: 'notification', notification_type: 'success' },
      { type: 'notification', notification_type: 'warning' },
      { type: 'notification', notification_type: 'error' },
    ]);
  });

  test('a client without haptics gets no message', async () => {
    const platform = await open({ version: '6.0' });

    platform.haptic('light');

    expect(sent('web_app_trigger_haptic_feedback')).toHaveLength(0);
  });
});

describe('back button', () => {
  test('a press calls the topmost handler once, and the next one after its removal', async () => {
    const platform = await open();
    const pressed: string[] = [];
    const leaveScreen = platform.showBack(() => pressed.push('screen'));
    const closeDialog = platform.showBack(() => pressed.push('dialog'));

    client().emit('back_button_pressed');
    closeDialog();
    client().emit('back_button_pressed');
    leaveScreen();
    client().emit('back_button_pressed');

    expect(pressed).toEqual(['dialog', 'screen']);
  });

  test('after twenty screens there is one listener, and the button was shown once', async () => {
    const platform = await open();
    const added = vi.mocked(window.addEventListener);
    added.mockClear();
    let presses = 0;
    let leave = platform.showBack(() => (presses += 1));
    await settled();
    for (let screen = 0; screen < 20; screen += 1) {
      leave();
      leave = platform.showBack(() => (presses += 1));
    }
    await settled();

    client().emit('back_button_pressed');

    expect(presses).toBe(1);
    expect(added).not.toHaveBeenCalledWith('message', expect.anything());
    expect(sent('web_app_setup_back_button')).toEqual([{ is_visible: true }]);
    leave();
    await settled();
    expect(sent('web_app_setup_back_button').at(-1)).toEqual({ is_visible: false });
  });

  test('removing a handler twice does not remove another one', async () => {
    const platform = await open();
    let presses = 0;
    const leave = platform.showBack(() => undefined);
    leave();
    platform.showBack(() => (presses += 1));
    leave();

    client().emit('back_button_pressed');

    expect(presses).toBe(1);
  });
});

describe('main button', () => {
  const save = { text: 'Save', isEnabled: true, isBusy: false, press: () => undefined };

  test('has the palette’s colours, and those of a new palette', async () => {
    const platform = await open();
    platform.setMainButton(save);
    await settled();
    client().emit('theme_changed', {
      theme_params: { ...palette, button_color: '#112233' },
    });
    await settled();

    expect(sent('web_app_setup_main_button')).toEqual([
      {
        is_visible: true,
        is_active: true,
        is_progress_visible: false,
        text: 'Save',
        color: '#40a7e3',
        text_color: '#ffffff',
      },
      expect.objectContaining({ color: '#112233', is_visible: true }),
    ]);
  });

  test('does not flicker when the screen changes', async () => {
    const platform = await open();
    platform.setMainButton(save);
    await settled();
    platform.setMainButton(undefined);
    platform.setMainButton({ ...save, text: 'Continue' });
    await settled();

    expect(sent('web_app_setup_main_button')).toEqual([
      expect.objectContaining({ text: 'Save', is_visible: true }),
      expect.objectContaining({ text: 'Continue', is_visible: true }),
    ]);
  });

  test('is hidden without an empty text, which crashes some clients', async () => {
    const platform = await open();
    platform.setMainButton(undefined);
    await settled();
    platform.setMainButton(save);
    await settled();
    platform.setMainButton({ ...save, text: '  ' });
    await settled();

    expect(sent('web_app_setup_main_button').map((data) => data)).toEqual([
      expect.objectContaining({ text: 'Save', is_visible: true }),
      expect.objectContaining({ text: 'Save', is_visible: false }),
    ]);
  });

  test('does nothing while busy or disabled', async () => {
    const platform = await open();
    let presses = 0;
    const press = () => (presses += 1);
    platform.setMainButton({ ...save, press, isBusy: true });
    await settled();
    client().emit('main_button_pressed');
    platform.setMainButton({ ...save, press, isEnabled: false });
    client().emit('main_button_pressed');
    platform.setMainButton({ ...save, press });
    client().emit('main_button_pressed');
    platform.setMainButton(undefined);
    client().emit('main_button_pressed');

    expect(presses).toBe(1);
    expect(sent('web_app_setup_main_button')[0]).toMatchObject({
      is_progress_visible: true,
      is_active: false,
    });
  });
});

/** A change of theme as web clients post it. */
function theme(color: string) {
  return { eventType: 'theme_changed', eventData: { theme_params: { bg_color: color } } };
}

describe('colours', () => {
  test('header, background and bottom bar get the page’s colour, once', async () => {
    const platform = await open();

    platform.paintFrame('#f1f1f1');
    platform.paintFrame('#F1F1F1');

    expect(sent('web_app_set_header_color')).toEqual([{ color: '#f1f1f1' }]);
    expect(sent('web_app_set_background_color')).toEqual([{ color: '#f1f1f1' }]);
    expect(sent('web_app_set_bottom_bar_color')).toEqual([{ color: '#f1f1f1' }]);
  });

  test('an old client gets the name of the colour, and no message that it does not support', async () => {
    const platform = await open({ version: '6.8' });

    platform.paintFrame('#f1f1f1');
    platform.paintFrame('#ffffff');
    platform.paintFrame('not a colour');

    expect(sent('web_app_set_header_color')).toEqual([
      { color_key: 'secondary_bg_color' },
      { color_key: 'bg_color' },
    ]);
    expect(sent('web_app_set_bottom_bar_color')).toHaveLength(0);
  });

  test('a new palette replaces the old one completely, with its valid colours only', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const platform = await open();
    await settled();
    let changes = 0;
    const stop = platform.onPaletteChange(() => (changes += 1));
    expect(platform.palette()).toEqual(palette);

    client().emit('theme_changed', {
      theme_params: { bg_color: '#17212b', text_color: 'red', link_color: '#ABC' },
    });
    client().emit('theme_changed', { theme_params: 'rubbish' });
    client().emit('theme_changed');

    expect(platform.palette()).toEqual({ bg_color: '#17212b', link_color: '#aabbcc' });
    expect(changes).toBe(1);
    stop();
    client().emit('theme_changed', { theme_params: { bg_color: '#000000' } });
    expect(changes).toBe(1);
  });

  test('messages of other windows, or of another shape, are ignored', async () => {
    const platform = await open();
    await settled();
    const stranger = new MessageEvent('message', { data: JSON.stringify(theme('#010101')) });

    window.dispatchEvent(stranger);
    for (const data of [theme('#020202'), '{', '[]', 'null', '{"eventType":7}', 4]) {
      window.dispatchEvent(new MessageEvent('message', { data, source: window.parent }));
    }

    expect(platform.palette()).toEqual(palette);
  });
});
