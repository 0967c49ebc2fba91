/** Sets a new password for a user who proves the Telegram ID: inside Telegram by launch data, else by a code. */
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';
import { create } from 'zustand';

import { codeByStart, isSent, passwordLength, startParam } from '#contract/endpoints/account';
import { fieldTexts } from '#contract/endpoints/field-texts';
import { passkeys } from '#contract/endpoints/passkey-login';
import {
  passwordReset,
  requestPasswordReset,
  resetPassword,
  resetPasswordWithTelegram,
} from '#contract/endpoints/password-reset';
import { useCapabilities } from '#lib/capabilities';
import { useMainButton } from '#lib/main-button';
import { noticeMs, useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { startSession } from '#lib/session';
import { tabMarks } from '#lib/storage';
import { Button, ButtonLink, SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { EmptyState } from '#ui/empty-state';
import { emptyOtp, OtpInput, useOtpFocus } from '#ui/otp-input';
import { PasswordField } from '#ui/password-field';

import { AccountForm, TelegramIdField } from './account-form.tsx';
import { findProblem, type Problem, toProblem, useFormCall, useFormProblem } from './form.ts';
import { UsernameForManagers } from './page/section.tsx';
import { resetTexts } from './reset-texts.ts';
import { otpTexts } from './signup-texts.ts';
import { texts } from './texts.ts';
import { NoCodeHint } from './verify-otp.tsx';

import styles from './account.module.css';

/** A code that was requested. It survives a reload, as while the user reads the code in Telegram. */
const storedRequest = v.object({
  telegramId: v.string(),
  attempt: v.optional(v.string()),
  startParam,
  isSent,
});
type Request = v.InferOutput<typeof storedRequest>;

const useStore = create<{ readonly requested?: Request | undefined }>()(() => ({}));

function keep(requested: Request | undefined): void {
  tabMarks.write('reset', requested && JSON.stringify(requested));
  useStore.setState({ requested });
}

export function ResetScreen() {
  const isOffered = useCapabilities().has(passwordReset);
  const { launch } = usePlatform();
  const requested = useStore((state) => state.requested);

  // Not before the first render, which equals the prerendered page.
  useLayoutEffect(() => useStore.setState({ requested: readRequest() }), []);

  if (isOffered === false) {
    return (
      <EmptyState
        mood="sleepy"
        title={resetTexts.notOffered}
        action={
          <ButtonLink kind="primary" to={paths.login}>
            {resetTexts.back}
          </ButtonLink>
        }
      >
        {resetTexts.notOfferedText}
      </EmptyState>
    );
  }
  return (
    <div className={styles.narrow}>
      <Card>
        <h1>{resetTexts.title}</h1>
        {launch.initData !== undefined ? (
          <ByLaunch initData={launch.initData} telegramId={launch.telegramId} />
        ) : requested === undefined ? (
          <RequestCode onSent={keep} />
        ) : (
          <ByCode request={requested} onLeave={() => keep(undefined)} />
        )}
      </Card>
    </div>
  );
}

function readRequest(): Request | undefined {
  try {
    const parsed = v.safeParse(storedRequest, JSON.parse(tabMarks.read('reset') ?? ''));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Nothing is stored, or it is not JSON.
    return undefined;
  }
}

function RequestCode({ onSent }: { readonly onSent: (request: Request) => void }) {
  const { mutate, isPending, isRunning } = useFormCall(requestPasswordReset);
  const state = useFormProblem({ isBusy: isPending });
  const hasMainButton = useMainButton({
    text: resetTexts.send,
    isEnabled: !isPending,
    isBusy: isPending,
    press: () => state.form.current?.requestSubmit(),
  });

  function send({ telegram_id = '' }: Readonly<Record<string, string>>): void {
    mutate(
      { telegram_id },
      {
        onSuccess: (answer) =>
          onSent({
            telegramId: telegram_id.trim(),
            attempt: answer.attempt,
            startParam: answer.start_param,
            isSent: answer.is_sent,
          }),
        onError: (error) => state.fail(toProblem(error, { fallback: resetTexts.sendFailed })),
      },
    );
  }

  return (
    <>
      <p className={styles.lead}>{resetTexts.lead}</p>
      <AccountForm
        {...{ state, isRunning }}
        isBusy={isPending}
        validate={(values) => findProblem(requestPasswordReset.input, values)}
        onValid={send}
      >
        <TelegramIdField {...state.describe('telegram_id')} />
        <SubmitButton
          text={resetTexts.send}
          busyText={resetTexts.sending}
          isBusy={isPending}
          isElsewhere={hasMainButton}
        />
      </AccountForm>
    </>
  );
}

type ByCodeProps = { readonly request: Request; readonly onLeave: () => void };

function ByCode({ request, onLeave }: ByCodeProps) {
  const { telegramId, attempt } = request;
  const { has } = useCapabilities();
  const [otp, setOtp] = useState(emptyOtp);
  const finish = useFinish();
  const call = useFormCall(resetPassword, {
    onSuccess: ({ access_token: token, device }) => {
      onLeave();
      finish({ token, telegramId, device });
    },
  });
  const state = useFormProblem({ isBusy: call.isPending });
  const isWrong = state.problem?.fields.includes('otp') === true;
  const boxes = useOtpFocus(otp, isWrong && !call.isPending);

  function send(password: string): void {
    call.mutate(
      { telegram_id: telegramId, attempt, otp_code: otp.join(''), new_password: password },
      {
        onError: (error) => {
          const refused = toProblem(error, { fallback: resetTexts.failed });
          const isCode = refused.code === 'invalid_code';
          setOtp(isCode ? emptyOtp : otp);
          state.fail({ ...refused, fields: [isCode ? 'otp' : 'new_password'] });
        },
      },
    );
  }

  return (
    <>
      <p className={styles.lead}>
        {request.isSent === false ? otpTexts.leadByStart(telegramId) : resetTexts.sent(telegramId)}
      </p>
      <PasswordForm
        {...{ state, call, telegramId }}
        validate={() =>
          otp.includes('') ? { message: otpTexts.incomplete, fields: ['otp'] } : undefined
        }
        onValid={send}
      >
        <OtpInput
          ref={boxes}
          label={otpTexts.label}
          boxLabel={otpTexts.box}
          value={otp}
          onChange={setOtp}
          isInvalid={isWrong}
          describedBy={isWrong ? state.problemId : undefined}
        />
      </PasswordForm>
      {has(codeByStart) === true && <NoCodeHint startParam={request.startParam} />}
      <Button kind="quiet" onClick={onLeave}>
        {resetTexts.otherId}
      </Button>
    </>
  );
}

type ByLaunchProps = { readonly initData: string; readonly telegramId: string | undefined };

function ByLaunch({ initData, telegramId }: ByLaunchProps) {
  const finish = useFinish();
  const call = useFormCall(resetPasswordWithTelegram, {
    onSuccess: ({ access_token: token, telegram_id, device }) =>
      finish({ token, telegramId: telegram_id ?? telegramId, device }),
  });
  const state = useFormProblem({ isBusy: call.isPending });

  return (
    <>
      <p className={styles.lead}>{resetTexts.leadInTelegram}</p>
      <PasswordForm
        {...{ state, call, telegramId }}
        onValid={(password) =>
          call.mutate(
            { init_data: initData, new_password: password },
            {
              onError: (error) =>
                state.fail(
                  toProblem(error, { fallback: resetTexts.failed, fields: ['new_password'] }),
                ),
            },
          )
        }
      />
    </>
  );
}

/** Logs the user in with the session that came with the new password. */
function useFinish(): (session: Parameters<typeof startSession>[0]) => void {
  const navigate = useNavigate();
  const platform = usePlatform();
  return (session) => {
    platform.haptic('success');
    startSession(session);
    useNotices.getState().show({
      id: 'password-set',
      tone: 'success',
      text: resetTexts.done,
      durationMs: noticeMs.medium,
    });
    void navigate(paths.dashboard, { replace: true });
  };
}

type PasswordFormProps = {
  readonly state: ReturnType<typeof useFormProblem>;
  readonly call: { readonly isPending: boolean; readonly isRunning: () => boolean };
  readonly telegramId: string | undefined;
  /** Checks what stands before the passwords. */
  readonly validate?: () => Problem | undefined;
  readonly onValid: (password: string) => void;
  readonly children?: ReactNode;
};

function PasswordForm({
  state,
  call: { isPending, isRunning },
  telegramId,
  validate,
  onValid,
  children,
}: PasswordFormProps) {
  const hasPasskeys = useCapabilities().has(passkeys) === true;
  const hint = [
    texts.fields.newPasswordHint(passwordLength.min),
    resetTexts.ends,
    ...(hasPasskeys ? [resetTexts.passkeysGo] : []),
  ];
  const hasMainButton = useMainButton({
    text: resetTexts.submit,
    isEnabled: !isPending,
    isBusy: isPending,
    press: () => state.form.current?.requestSubmit(),
  });
  return (
    <AccountForm
      {...{ state, isRunning }}
      isBusy={isPending}
      validate={(values) => validate?.() ?? findPasswordProblem(values)}
      onValid={({ new_password = '' }) => onValid(new_password)}
    >
      {children}
      <UsernameForManagers telegramId={telegramId} />
      <PasswordField
        id="new-password"
        name="new_password"
        label={resetTexts.password}
        hint={hint.join(' ')}
        toggleLabel={resetTexts.showPassword}
        autoComplete="new-password"
        required
        {...state.describe('new_password')}
      />
      <PasswordField
        id="confirm-password"
        name="confirm_password"
        label={resetTexts.confirmed}
        toggleLabel={resetTexts.showConfirmed}
        autoComplete="new-password"
        required
        {...state.describe('confirm_password')}
      />
      <SubmitButton
        text={resetTexts.submit}
        busyText={resetTexts.busy}
        isBusy={isPending}
        isElsewhere={hasMainButton}
      />
    </AccountForm>
  );
}

const passwordInput = v.pick(resetPasswordWithTelegram.input, ['new_password']);

/** Checks that no field is empty, that the passwords are equal, then the schema. */
function findPasswordProblem(values: Readonly<Record<string, string>>): Problem | undefined {
  const { new_password = '', confirm_password = '' } = values;
  const missing = Object.entries({ new_password, confirm_password })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0) {
    return { message: fieldTexts.allFieldsRequired, fields: missing };
  }
  if (new_password !== confirm_password) {
    return { message: resetTexts.differ, fields: ['confirm_password'] };
  }
  return findProblem(passwordInput, { new_password });
}
