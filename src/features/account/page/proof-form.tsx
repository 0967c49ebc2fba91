/**
 * A form for what changes the account: the user proves to be there, as an open session may have been stolen. Inside
 * Telegram launch data does it, elsewhere the password, a passkey, or a code of the bot.
 */
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';

import { type CallInput } from '#contract/endpoints/endpoint';
import { fieldTexts } from '#contract/endpoints/field-texts';
import {
  confirmations,
  requestConfirmationCode,
  type requestPasskey,
} from '#contract/endpoints/passkeys';
import { ApiError } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { resendAfterS, useCountdown } from '#lib/next-code';
import { usePlatform } from '#lib/platform';
import { formatWait } from '#lib/wait';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';
import { emptyOtp, type OtpDigits, OtpInput, type OtpInputHandle } from '#ui/otp-input';
import { PasswordField } from '#ui/password-field';
import { ResendButton } from '#ui/resend-button';

import { AccountForm } from '../account-form.tsx';
import { type Problem, readForm, toProblem, useFormCall, type useFormProblem } from '../form.ts';
import { toPasskeyProblem, usePasskeysHere } from '../passkeys.ts';
import { otpTexts } from '../signup-texts.ts';
import { texts as sharedTexts } from '../texts.ts';
import { proveByPasskey, usePasskeys } from './passkeys.ts';
import { accountQueries } from './queries.ts';
import { UsernameForManagers } from './section.tsx';
import { accountTexts, proofTexts as texts } from './texts.ts';

type ProofInput = CallInput<typeof requestPasskey>['proof'];

type Values = Readonly<Record<string, string>>;

type ProofFormProps = {
  /** The accessible name. */
  readonly label: string;
  /** The button that sends it, and its text while it is sent. */
  readonly submit: string;
  readonly busy: string;
  readonly isDanger?: boolean;
  /** What to say when the server says nothing. */
  readonly failed: string;
  readonly state: ReturnType<typeof useFormProblem>;
  readonly isBusy: boolean;
  readonly isRunning: () => boolean;
  /** Asks the user first. */
  readonly confirm?: () => Promise<boolean>;
  /** The user has proved it; `fail` shows why the server refuses. */
  readonly onProof: (proof: ProofInput, values: Values, fail: (error: unknown) => void) => void;
  /** Closes the form; absent where it is always open. */
  readonly onCancel?: () => void;
  /** Fields before the proof. */
  readonly children?: ReactNode;
};

export function ProofForm({ label, state, children, ...props }: ProofFormProps) {
  const proving = useProving({ state, ...props });
  const { way, code, isBusy } = proving;
  const isCodeMissing = way === 'code' && !code.isSent;

  return (
    <AccountForm
      {...{ label, state, isBusy }}
      isRunning={props.isRunning}
      validate={proving.findProblem}
      onValid={(values) => void proving.submit(values)}
    >
      {children}
      {way === 'password' && <Password {...state.describe('password')} />}
      {way === 'code' && code.isSent && <Code {...{ code, state, isBusy }} />}
      <Button
        kind={props.isDanger === true ? 'danger' : 'primary'}
        type="submit"
        isWide
        isBusy={isBusy}
      >
        {props.isBusy ? props.busy : isCodeMissing ? texts.sendCode : props.submit}
      </Button>
      {way === 'code' && code.isSent && <Resend code={code} onPress={proving.sendCode} />}
      <OtherWays {...proving} />
      {props.onCancel && (
        <Button kind="quiet" onClick={props.onCancel}>
          {accountTexts.cancel}
        </Button>
      )}
    </AccountForm>
  );
}

type OtherWaysProps = Pick<
  ReturnType<typeof useProving>,
  'others' | 'code' | 'sendCode' | 'pressPasskey'
>;

function OtherWays({ others, code, sendCode, pressPasskey }: OtherWaysProps) {
  return (
    <>
      {others.includes('passkey') && (
        <Button isWide icon={<KeyRound aria-hidden="true" size={20} />} onClick={pressPasskey}>
          {texts.byPasskey}
        </Button>
      )}
      {others.includes('code') && (
        <Button isWide onClick={sendCode}>
          {texts.sendCode}
        </Button>
      )}
      {others.includes('password') && (
        <Button kind="quiet" onClick={code.leave}>
          {texts.byPassword}
        </Button>
      )}
    </>
  );
}

function Password(description: ReturnType<ReturnType<typeof useFormProblem>['describe']>) {
  return (
    <>
      <UsernameForManagers />
      <PasswordField
        name="password"
        label={sharedTexts.fields.password}
        toggleLabel={sharedTexts.fields.showPassword}
        autoComplete="current-password"
        required
        {...description}
      />
    </>
  );
}

type CodeProps = {
  readonly code: ReturnType<typeof useConfirmationCode>;
  readonly state: ProofFormProps['state'];
  readonly isBusy: boolean;
};

function Code({ code: { otp, setOtp }, state: { problem, describe }, isBusy }: CodeProps) {
  const boxes = useRef<OtpInputHandle>(null);
  const focusFirstEmpty = useEffectEvent(() => boxes.current?.focus(Math.max(otp.indexOf(''), 0)));
  // After each call, because disabled boxes cannot have the focus, unless the message moves it elsewhere.
  useEffect(() => {
    if (!isBusy && problem?.focused === undefined) {
      focusFirstEmpty();
    }
  }, [problem, isBusy]);

  return (
    <>
      <Notice tone="info">{texts.codeSent}</Notice>
      <OtpInput
        ref={boxes}
        label={otpTexts.label}
        boxLabel={otpTexts.box}
        value={otp}
        onChange={setOtp}
        {...describe('otp')}
      />
    </>
  );
}

type ResendProps = Pick<CodeProps, 'code'> & { readonly onPress: () => void };

function Resend({ code: { waitS, isSending }, onPress }: ResendProps) {
  return (
    <ResendButton
      text={otpTexts.resend}
      waitText={waitS > 0 ? otpTexts.resendIn(formatWait(waitS)) : undefined}
      isBusy={isSending}
      onPress={onPress}
    />
  );
}

type Way = 'launch' | 'password' | 'passkey' | 'code';

/** How this user can prove it here; the first is the usual one. */
function useWays(): readonly Way[] {
  const { launch } = usePlatform();
  const hasMore = useCapabilities().has(confirmations) === true;
  const { data: hasPassword = true } = useQuery(accountQueries.hasPassword());
  const isPasskeyPossible = usePasskeysHere();
  const { list = [] } = usePasskeys();

  if (!hasMore) {
    return ['password'];
  }
  if (launch.initData !== undefined) {
    return ['launch', 'code'];
  }
  return [
    ...(hasPassword ? (['password'] as const) : []),
    ...(isPasskeyPossible && list.length > 0 ? (['passkey'] as const) : []),
    'code',
  ];
}

/** Returns the function that gets a proof: undefined when the user has cancelled, or when that is shown. */
function useProof({ state, failed }: Pick<ProofFormProps, 'state' | 'failed'>, otp: OtpDigits) {
  const { launch } = usePlatform();
  const [isProving, setProving] = useState(false);

  async function proveHere(): Promise<ProofInput | undefined> {
    setProving(true);
    try {
      return await proveByPasskey();
    } catch (error) {
      const message = toPasskeyProblem(error, failed);
      if (message !== undefined) {
        state.fail({ message, fields: [] });
      }
      return undefined;
    } finally {
      setProving(false);
    }
  }

  const prove: Record<Way, (password: string) => Promise<ProofInput | undefined>> = {
    launch: async () => ({ init_data: launch.initData ?? '' }),
    password: async (password) => ({ password }),
    code: async () => ({ otp_code: otp.join('') }),
    passkey: proveHere,
  };
  return { prove, isProving };
}

type ProvingProps = Omit<ProofFormProps, 'label' | 'submit' | 'busy' | 'children'>;

function useProving({ state, failed, confirm, onProof, ...calling }: ProvingProps) {
  const all = useWays();
  const code = useConfirmationCode();
  const { prove, isProving } = useProof({ state, failed }, code.otp);
  const way = code.isSent ? 'code' : (all[0] ?? 'password');
  // Launch data usually is enough.
  const isCodeHidden = way === 'launch' && state.problem?.code !== 'launch_too_old';

  function fail(error: unknown): void {
    const problem = toProblem(error, { fallback: failed });
    if (problem.code === 'invalid_code') {
      code.setOtp(emptyOtp);
    }
    state.fail({ ...problem, fields: fieldsByCode[problem.code ?? ''] ?? [] });
  }

  async function send(by: Way, values: Values): Promise<void> {
    if (confirm && !(await confirm())) {
      return;
    }
    const proof = await prove[by](values['password'] ?? '');
    if (proof) {
      onProof(proof, values, fail);
    }
  }

  function sendCode(): void {
    state.clear();
    code.send((error) => state.fail(toProblem(error, { fallback: texts.sendFailed })));
  }

  return {
    way,
    /** The other ways. */
    others: all.filter((one) => one !== way && !(one === 'code' && isCodeHidden)),
    code,
    isBusy: calling.isBusy || isProving || code.isSending,
    sendCode,

    findProblem: (values: Values): Problem | undefined => {
      if (way === 'password' && (values['password'] ?? '') === '') {
        return { message: fieldTexts.allFieldsRequired, fields: ['password'] };
      }
      return code.isSent && code.otp.includes('')
        ? { message: otpTexts.incomplete, fields: ['otp'] }
        : undefined;
    },

    submit: async (values: Values): Promise<void> => {
      if (way === 'code' && !code.isSent) {
        sendCode();
      } else {
        await send(way, values);
      }
    },

    pressPasskey: (): void => {
      const form = state.form.current;
      if (form && !calling.isRunning()) {
        state.clear();
        void send('passkey', readForm(form));
      }
    },
  };
}

/** The fields that are in doubt, by the error code. */
const fieldsByCode: Readonly<Record<string, readonly string[]>> = {
  wrong_password: ['password'],
  invalid_code: ['otp'],
};

/** A code that the bot sends. It proves something in this session only. */
function useConfirmationCode() {
  const { mutate, isPending, isRunning } = useFormCall(requestConfirmationCode);
  const [otp, setOtp] = useState(emptyOtp);
  const [isSent, setSent] = useState(false);
  const [waitS, setWaitS] = useCountdown(0);

  return {
    otp,
    setOtp,
    isSent,
    isSending: isPending,
    /** Back to the other ways. */
    leave: () => setSent(false),
    /** Seconds until another code can be requested. */
    waitS,
    send: (onError: (error: unknown) => void): void => {
      if (isRunning()) {
        return;
      }
      mutate(
        {},
        {
          onSuccess: () => {
            setOtp(emptyOtp);
            setSent(true);
            setWaitS(resendAfterS);
          },
          onError: (error) => {
            // A code of another form on this page may be on its way; it is valid here, too.
            const waitedS = error instanceof ApiError ? (error.retryAfterS ?? 0) : 0;
            if (waitedS > 0 && waitedS <= resendAfterS) {
              setSent(true);
              setWaitS(waitedS);
            }
            onError(error);
          },
        },
      );
    },
  };
}
