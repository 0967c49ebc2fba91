/** The registration that waits for its code, and the calls of signing up. It survives a reload and holds no password. */
import { useEffect } from 'react';
import * as v from 'valibot';
import { create } from 'zustand';

import { isSent, register, sendOtp, startParam, verifyOtp } from '#contract/endpoints/account';
import { useCapabilities } from '#lib/capabilities';
import { resendAfterS } from '#lib/next-code';
import { getPlatform, usePlatform } from '#lib/platform';
import { startSession } from '#lib/session';
import { tabMarks } from '#lib/storage';

import { useFormCall } from './form.ts';

const registration = v.object({
  telegramId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/)),
  /** Binds the code to this browser: the code is valid only together with it. */
  attempt: v.optional(v.string()),
  /** Opens the bot so that its Start sends the code. */
  startParam,
  /** False when no code was sent: then the bot's Start sends it. */
  isSent,
  /** When the last code was requested (epoch milliseconds), and how long to wait from then (seconds). */
  sentAt: v.number(),
  waitS: v.pipe(v.number(), v.minValue(0), v.maxValue(86_400)),
});
export type Registration = v.InferOutput<typeof registration>;

type Store = {
  readonly registration: Registration | undefined;
  readonly keptEmail?: string | undefined;
};

/** Starts empty, so that the first render equals the prerendered page. */
const useStore = create<Store>()(() => ({ registration: undefined }));
useStore.setState({ registration: readStored() });

/** The registration of this tab that waits for its code, if there is one. */
export function useRegistration(): Registration | undefined {
  return useStore((state) => state.registration);
}

/** The e-mail that was typed in this tab before the screen opened. Read after the first render, too. */
export function useKeptEmail(): string | undefined {
  useEffect(() => {
    useStore.setState({ keptEmail: tabMarks.read('email') });
    return () => useStore.setState({ keptEmail: undefined });
  }, []);
  return useStore((state) => state.keptEmail);
}

/** Stores a registration; `undefined` removes it. */
export function setRegistration(value: Registration | undefined): void {
  tabMarks.write('signup', value && JSON.stringify(value));
  useStore.setState({ registration: value });
}

function readStored(): Registration | undefined {
  try {
    const parsed = v.safeParse(registration, JSON.parse(tabMarks.read('signup') ?? ''));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Nothing is stored, or it is not JSON.
    return undefined;
  }
}

/** Sends the details. The registration is stored even if the user has left the screen meanwhile. */
export function useRegister() {
  return useFormCall(register, {
    onSuccess: (answer, input) =>
      setRegistration({
        telegramId: answer.telegram_id ?? String(input.telegram_id).trim(),
        attempt: answer.attempt,
        startParam: answer.start_param,
        isSent: answer.is_sent,
        sentAt: Date.now(),
        waitS: resendAfterS,
      }),
  });
}

/** Inside Telegram, what proves to a backend that can check it that the ID is that of the user. */
export function useLaunchProof(): { readonly init_data?: string } {
  const { launch } = usePlatform();
  const { has } = useCapabilities({ isWanted: launch.initData !== undefined });
  const { initData } = launch;
  return initData !== undefined && has('auth.telegram') === true ? { init_data: initData } : {};
}

export function useResendOtp() {
  return useFormCall(sendOtp);
}

/** Verifies the code. The answer is a session. */
export function useVerifyOtp() {
  return useFormCall(verifyOtp, {
    onSuccess: ({ access_token: token, device }, input) => {
      // Not in the screen, which is unmounted as soon as there is a session.
      getPlatform().haptic('success');
      startSession({ token, telegramId: String(input.telegram_id), device });
      setRegistration(undefined);
    },
  });
}
