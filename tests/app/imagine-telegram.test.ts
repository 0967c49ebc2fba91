/** Imagine Art inside Telegram: the main button, the confirmation before closing, and haptics. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { saveImagine } from '#contract/endpoints/imagine';
import { fillInSignup, newcomer } from '#tests/account';
import { openImagine, ratio, result, styleMenu, sentRequests } from '#tests/imagine';
import { closing, haptics, holdBack, inTelegram, mainButton, prompt, told } from '#tests/providers';

const medium = { type: 'impact', impact_style: 'medium' };
const notification = (kind: string) => ({ type: 'notification', notification_type: kind });

test('the main button generates, and closing has to be confirmed meanwhile', async () => {
  const app = await openImagine(inTelegram);
  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({
      text: 'Generate Imagine Art',
      is_visible: true,
      is_active: true,
    }),
  );
  expect(screen.queryByRole('button', { name: 'Generate Imagine Art' })).toBeNull();
  await app.user.type(prompt(), 'a paper crane');
  const release = holdBack('/imagine-art/save');
  const before = haptics(app).length;

  app.bridge?.emit('main_button_pressed');

  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({
      text: 'Generating...',
      is_active: false,
      is_progress_visible: true,
    }),
  );
  await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: true }));
  release();
  expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
  await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: false }));
  expect(haptics(app).slice(before)).toEqual([medium, notification('success')]);
  expect(sentRequests(app)).toHaveLength(1);
});

test('the end of another reason to confirm closing does not end this one', async () => {
  const app = await openImagine({ launch: { telegramId: newcomer } });
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_active: true }));
  await app.user.type(prompt(), 'a paper crane');
  const release = holdBack('/imagine-art/save');
  app.bridge?.emit('main_button_pressed');
  await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: true }));

  app.goTo('/signup');
  await screen.findByRole('heading', { name: 'Create Account' });
  await fillInSignup(app);
  await waitFor(() => expect(mainButton(app)).toMatchObject({ text: 'Continue', is_active: true }));
  app.bridge?.emit('main_button_pressed');
  await screen.findByRole('heading', { name: 'Verify OTP' });
  app.goTo('/models?provider=imagine-art');
  await screen.findByRole('textbox', { name: 'Prompt' });

  expect(told(app, 'web_app_setup_closing_behavior')).toEqual([{ need_confirmation: true }]);
  release();
  expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
  await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: false }));
});

test('a failure and a missing field give haptic feedback once', async () => {
  const app = await openImagine(inTelegram);
  app.server.refuse(saveImagine, { status: 500 });
  const before = haptics(app).length;

  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_active: true }));
  app.bridge?.emit('main_button_pressed');
  await result().findByRole('alert');
  expect(haptics(app).slice(before)).toEqual([notification('error')]);

  await app.user.type(prompt(), 'a paper crane');
  app.bridge?.emit('main_button_pressed');
  await waitFor(() =>
    expect(haptics(app).slice(before + 1)).toEqual([medium, notification('error')]),
  );
});

test('another style and another ratio give haptic feedback', async () => {
  const app = await openImagine(inTelegram);
  const before = haptics(app).length;

  await app.user.selectOptions(styleMenu(), 'realistic');
  await app.user.click(ratio('3:2'));

  expect(haptics(app).slice(before)).toEqual([
    { type: 'selection_change' },
    { type: 'selection_change' },
  ]);
});
