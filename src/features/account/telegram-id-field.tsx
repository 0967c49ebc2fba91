/** The Telegram user ID: typed on the web; known and locked inside Telegram until "Not you?" is pressed. */
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Field } from '#ui/field';

import { texts } from './texts.ts';

type TelegramIdFieldProps = {
  /** The value typed before, if the form is shown again. */
  readonly initial?: string | undefined;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
};

export function TelegramIdField({ initial, isInvalid, describedBy }: TelegramIdFieldProps) {
  const { launch } = usePlatform();
  const [isUnlocked, setIsUnlocked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const known = launch.telegramId;
  const isLocked = known !== undefined && !isUnlocked && (initial ?? known) === known;

  function unlock(): void {
    flushSync(() => setIsUnlocked(true));
    input.current?.focus();
    input.current?.select();
  }

  return (
    <Field
      // The Telegram ID becomes known after the first render; a new key resets the field.
      key={known ?? ''}
      ref={input}
      id="telegram-id"
      name="telegram_id"
      label={texts.fields.telegramId}
      hint={isLocked ? texts.fields.telegramIdKnown : texts.fields.telegramIdHint}
      defaultValue={initial ?? known}
      readOnly={isLocked}
      inputMode="numeric"
      autoComplete="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      isInvalid={isInvalid}
      describedBy={describedBy}
      trailing={
        isLocked ? (
          <Button kind="quiet" onClick={unlock}>
            {texts.fields.notYou}
          </Button>
        ) : undefined
      }
    />
  );
}
