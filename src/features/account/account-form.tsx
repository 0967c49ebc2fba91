/** A form of the account: it validates the values and shows one message. And its field for the Telegram ID. */
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'react-router-dom';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';

import { type Problem, readForm, type useFormProblem } from './form.ts';
import { texts } from './texts.ts';

import styles from './account.module.css';

type AccountFormProps = {
  /** The accessible name, on pages with several forms. */
  readonly label?: string;
  readonly state: ReturnType<typeof useFormProblem>;
  readonly isBusy: boolean;
  readonly isRunning: () => boolean;
  readonly validate: (values: Readonly<Record<string, string>>) => Problem | undefined;
  /** Something was typed. */
  readonly onTyping?: (form: HTMLFormElement) => void;
  readonly onValid: (values: Readonly<Record<string, string>>, form: HTMLFormElement) => void;
  readonly children: ReactNode;
};

export function AccountForm({ label, state, validate, onValid, ...props }: AccountFormProps) {
  const { form, problem, problemId, fail, clear } = state;

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (props.isRunning()) {
      return;
    }
    const values = readForm(event.currentTarget);
    const found = validate(values);
    if (found) {
      fail(found);
      return;
    }
    clear();
    onValid(values, event.currentTarget);
  }

  return (
    <form
      ref={form}
      className={styles.form}
      // Where no script runs, the browser itself sends the form: POST keeps the password out of the address.
      method="post"
      onSubmit={submit}
      onInput={(event) => props.onTyping?.(event.currentTarget)}
      noValidate
      aria-label={label}
    >
      <ProblemNotice id={problemId} problem={problem} />
      <fieldset className={styles.fields} disabled={props.isBusy}>
        {props.children}
      </fieldset>
    </form>
  );
}

/** Links by the server's error code. */
const links: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  not_verified: { to: paths.signup, label: texts.signUpAgain },
  account_exists: { to: paths.login, label: texts.logIn },
};

type ProblemNoticeProps = { readonly id: string; readonly problem: Problem | undefined };

/** The message, with a link to where the user can go on. */
export function ProblemNotice({ id, problem }: ProblemNoticeProps) {
  const { state } = useLocation();
  if (!problem) {
    return null;
  }
  const link = problem.code === undefined ? undefined : links[problem.code];
  return (
    <Notice tone="error">
      <span id={id}>{problem.message}</span>{' '}
      {link && (
        <Link className={styles.link} to={link.to} state={state}>
          {link.label}
        </Link>
      )}
    </Notice>
  );
}

type TelegramIdFieldProps = {
  /** The value typed before, if the form is shown again. */
  readonly initial?: string | undefined;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
};

/** Typed on the web; known and locked inside Telegram until "Not you?" is pressed. */
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
