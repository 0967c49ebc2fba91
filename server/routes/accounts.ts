/** Registering, logging in and out, the sessions of a user, and changing, exporting or deleting an account. */
import { type Hono } from 'hono';

import {
  changePassword,
  deleteAccount,
  register,
  sendOtp,
  verifyOtp,
} from '#contract/endpoints/account';
import { listAccountEvents } from '#contract/endpoints/account-events';
import { readExport, startExport } from '#contract/endpoints/exports';
import { setAccountLanguage } from '#contract/endpoints/language';
import {
  requestPasswordReset,
  resetPassword,
  resetPasswordWithTelegram,
} from '#contract/endpoints/password-reset';
import { listReminders, removeReminder } from '#contract/endpoints/reminders';
import {
  endOtherSessions,
  endOneSession,
  listSessions,
  login,
  loginWithTelegram,
  logout,
  readMe,
  requestLoginCode,
} from '#contract/endpoints/session';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on, onUser } from '#server/http/on';
import { getCaller, requireTelegramId, requireUser, sayTranslated } from '#server/http/requests';
import { telegramWeb } from '#server/http/security-headers';
import { rangeHeaders, readRange } from '#server/lib/byte-range';
import { AppError } from '#server/lib/errors';
import { limits } from '#server/lib/limits';
import { type Services } from '#server/services/services';
import {
  type AccountEvent,
  exportFileName,
  findPasskeySite,
  type RequestedCode,
  sayDevice,
} from '#services/accounts';

/** The same sentence for known and unknown IDs. The hint helps users whom the bot may not write to. */
const codeIsOnItsWay =
  'If this Telegram user ID can receive it, a 6-digit code is on its way. No code? Open the bot and press Start.';
/** The same for known and unknown IDs, when many codes were sent today. */
const codeByStartOnly = 'Open the bot and press Start to get your code.';
/** The same for right and wrong passwords. */
const loginCodeIsOnItsWay = 'If the password is right, a 6-digit code is on its way.';

export function addAccountRoutes(app: Hono<AppEnv>, services: Services): void {
  const {
    accounts,
    accountEvents,
    confirmations,
    launches,
    limiter,
    registrations,
    userLanguages,
  } = services;

  on(app, register, async ({ telegram_id, email, password, init_data }, c) => {
    const address = c.get('address');
    await limiter.take(limits.addressRegistrations, address);
    const telegramId = Number(telegram_id);
    const requested = await registrations.register({
      telegramId,
      email,
      password,
      language: c.get('language'),
      from: { address },
      isSelf: await launches.proves(telegramId, { initData: init_data, caller: getCaller(c) }),
    });
    return { telegram_id, ...toRequestAnswer(requested) };
  });

  on(app, sendOtp, async ({ telegram_id, attempt, init_data }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    const launch = { initData: init_data, caller: getCaller(c) };
    const isSelf = await launches.proves(telegramId, launch);
    await registrations.resend({ telegramId, attempt }, c.get('language'), isSelf);
    return { message: codeIsOnItsWay };
  });

  on(app, verifyOtp, async ({ telegram_id, otp_code, attempt }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    const caller = getCaller(c);
    const activating = registrations.activate({ telegramId, attempt }, otp_code, caller);
    const passwordHash = await logCodeLock(activating, services, { telegramId, caller });
    await accountEvents.record({ kind: 'account_created', telegramId, caller });
    return startSession(services, { telegramId, way: 'code', passwordHash, isTold: false }, c);
  });

  onUser(app, changePassword, async ({ current_password, new_password, end_other_sessions }, c) => {
    const user = requireUser(c);
    await accounts.changePassword(user, {
      current: current_password,
      next: new_password,
      endOthers: end_other_sessions,
    });
    await accountEvents.record({ kind: 'password_changed', ...user, caller: getCaller(c) });
  });

  onUser(app, deleteAccount, async (proof, c) => {
    const user = requireUser(c);
    const site = findPasskeySite(services.deps.env.publicUrl, c.req.url);
    await confirmations.check(user, proof, { site, caller: getCaller(c) });
    await accounts.remove(user);
    const { telegramId } = user;
    await services.accountEvents.record({
      kind: 'account_deleted',
      telegramId,
      caller: getCaller(c),
    });
  });

  onUser(app, setAccountLanguage, async ({ language }, c) => {
    await userLanguages.setLanguage(requireUser(c).telegramId, language);
  });

  onUser(app, readMe, async (_input, c) => {
    const { telegramId, email, profile, hasPassword, languages } = await accounts.find(
      requireUser(c),
    );
    return {
      telegram_id: String(telegramId),
      email,
      first_name: profile.firstName,
      username: profile.username,
      photo_url: profile.photoUrl,
      has_password: hasPassword,
      language: languages.chosen ?? null,
    };
  });
}

/** A new password without the old one. */
export function addPasswordResetRoutes(app: Hono<AppEnv>, services: Services): void {
  const { accountEvents, launches, passwordResets, limiter } = services;

  /** The message about the new password is enough: it is also that of the login. */
  async function startAfterReset(started: NewLogin, c: AppContext) {
    const { telegramId } = started;
    const { sessionId, answer } = await beginSession(services, { ...started, isTold: false }, c);
    const caller = getCaller(c);
    await accountEvents.record({ kind: 'password_changed', telegramId, caller, sessionId });
    return answer;
  }

  on(app, requestPasswordReset, async ({ telegram_id }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    return toRequestAnswer(await passwordResets.request(Number(telegram_id), c.get('language')));
  });

  on(app, resetPassword, async ({ telegram_id, otp_code: code, attempt = '', new_password }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    const reset = { attempt, code, password: new_password };
    const caller = getCaller(c);
    const resetting = passwordResets.resetByCode(telegramId, reset);
    const passwordHash = await logCodeLock(resetting, services, { telegramId, caller });
    return startAfterReset({ telegramId, way: 'code', passwordHash }, c);
  });

  on(app, resetPasswordWithTelegram, async ({ init_data, new_password }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const { telegramId } = (await launches.check(init_data, getCaller(c))).user;
    const passwordHash = await passwordResets.resetByLaunch(telegramId, new_password);
    return startAfterReset({ telegramId, way: 'telegram', passwordHash }, c);
  });
}

export function addSessionRoutes(app: Hono<AppEnv>, services: Services): void {
  const { accounts, accountEvents, launches, sessions, limiter } = services;

  on(app, login, async ({ telegram_id, password, device, otp_code, attempt = '' }, c) => {
    const telegramId = Number(telegram_id);
    const code = otp_code === undefined ? undefined : { attempt, digits: otp_code };
    const caller = getCaller(c);
    const passwordHash = await accounts.checkLogin({ telegramId, password, device, code, caller });
    const way = code === undefined ? 'password' : 'code';
    return startSession(services, { telegramId, way, passwordHash, device }, c);
  });

  on(app, requestLoginCode, async ({ telegram_id, password }, c) => {
    await limiter.take(limits.addressCodes, c.get('address'));
    const telegramId = Number(telegram_id);
    const { attempt } = await accounts.sendLoginCode(telegramId, password, c.get('language'));
    return { message: loginCodeIsOnItsWay, attempt };
  });

  on(app, loginWithTelegram, async ({ init_data }, c) => {
    await limiter.take(limits.addressLogins, c.get('address'));
    const caller = getCaller(c);
    const launch = await launches.check(init_data, caller);
    const { user, signedAt: launchedAt } = launch;
    // First, so that a newcomer can come back with the same launch.
    await accounts.updateFromLaunch(user);
    await launches.use(launch, caller);
    const { telegramId } = user;
    return startSession(services, { telegramId, way: 'telegram', launchedAt, isTold: false }, c);
  });

  onUser(app, logout, (_input, c) => sessions.end(requireUser(c)));

  onUser(app, listSessions, async (_input, c) => {
    const user = requireUser(c);
    const found = await sessions.list(user);
    return {
      sessions: found.map(({ id, device, addressPrefix, createdAt, lastSeenAt }) => ({
        id,
        device,
        device_translated: sayTranslated(c, sayDevice(device)),
        address: addressPrefix,
        created_at: new Date(createdAt).toISOString(),
        last_seen_at: new Date(lastSeenAt).toISOString(),
        is_current: id === user.sessionId,
      })),
    };
  });

  onUser(app, endOtherSessions, async (_input, c) => {
    const user = requireUser(c);
    const ended = await sessions.endOthers(user);
    await accountEvents.record({ kind: 'sessions_ended', ...user, caller: getCaller(c) });
    return { ended };
  });

  onUser(app, endOneSession, async ({ session_id }, c) => {
    const user = requireUser(c);
    await sessions.endOne(user, session_id);
    await accountEvents.record({ kind: 'session_ended', ...user, caller: getCaller(c) });
  });

  onUser(app, listReminders, async (_input, c) => {
    const own = await services.reminders.list(requireUser(c).telegramId);
    return {
      reminders: own.map(({ id, chatId, text, dueAt }) => ({
        id,
        chat_id: String(chatId),
        text,
        due_at: new Date(dueAt).toISOString(),
      })),
    };
  });

  onUser(app, removeReminder, async ({ id }, c) => {
    await services.reminders.remove(requireUser(c).telegramId, id);
  });

  onUser(app, listAccountEvents, async (_input, c) => {
    const events = await accountEvents.list(requireUser(c).telegramId);
    return {
      events: events.map(({ id, at, kind, device, address_prefix: address, detail, times }) => ({
        id,
        kind,
        device,
        address,
        detail,
        times,
        at: new Date(at).toISOString(),
        device_translated: sayTranslated(c, sayDevice(device)),
      })),
    };
  });
}

function toRequestAnswer({ attempt, startParam, isSent }: RequestedCode) {
  const message = isSent ? codeIsOnItsWay : codeByStartOnly;
  return { message, attempt, start_param: startParam, is_sent: isSent };
}

/** Logs when no more codes are accepted. */
async function logCodeLock<Result>(
  result: Promise<Result>,
  { accountEvents }: Services,
  lock: Pick<AccountEvent, 'telegramId' | 'caller'>,
): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') {
      await accountEvents.record({ kind: 'code_locked', ...lock });
    }
    throw error;
  }
}

type NewLogin = {
  readonly telegramId: number;
  readonly way: 'password' | 'code' | 'telegram' | 'passkey';
  /** Of the password that the session is by; absent when something else proves who the user is. */
  readonly passwordHash?: string;
  /** When Telegram signed the launch data that the session is by. */
  readonly launchedAt?: number;
  /** What an earlier login has left on this device. */
  readonly device?: string | undefined;
  /** False where the login is no news to the user, whatever the device. */
  readonly isTold?: boolean;
};

/** Starts a session, and tells the user about it where the device is a new one. */
export async function startSession(services: Services, started: NewLogin, c: AppContext) {
  const { answer } = await beginSession(services, started, c);
  return answer;
}

async function beginSession(
  { sessions, accountEvents, knownDevices }: Services,
  { telegramId, way, passwordHash, launchedAt, device, isTold = true }: NewLogin,
  c: AppContext,
) {
  const caller = getCaller(c);
  const { id, token } = await sessions.start(telegramId, caller, { passwordHash, launchedAt });
  const isKnown = knownDevices.read(device, telegramId) !== undefined;
  await accountEvents.record({
    kind: 'login',
    telegramId,
    caller,
    detail: way,
    sessionId: id,
    isTold: isTold && !isKnown,
  });
  return {
    sessionId: id,
    answer: {
      access_token: token,
      token_type: 'bearer',
      telegram_id: String(telegramId),
      device: knownDevices.make(telegramId, device),
    },
  };
}

const toTime = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString();

/** The export of the user's data, and the file that its link leads to. */
export function addExportRoutes(app: Hono<AppEnv>, { exports }: Services): void {
  onUser(app, startExport, ({ by_bot: byBot }, c) =>
    exports.start(requireUser(c), { byBot, language: c.get('language'), caller: getCaller(c) }),
  );

  onUser(app, readExport, async (_input, c) => {
    const { state, createdAt, expiresAt, bytes, url, byBot } = await exports.read(
      requireTelegramId(c),
    );
    return {
      state,
      created_at: toTime(createdAt),
      expires_at: toTime(expiresAt),
      bytes,
      url,
      by_bot: byBot,
    };
  });

  app.get('/exports/:id', async (c) => {
    const { expires, signature } = c.req.query();
    const file = await exports.open(c.req.param('id'), { expires, signature });
    c.header('Content-Security-Policy', "default-src 'none'; sandbox");
    c.header('Cache-Control', 'no-store');
    // Telegram's web client loads what it saves by itself. The signature protects the file.
    c.header('Access-Control-Allow-Origin', telegramWeb);
    c.header('Cross-Origin-Resource-Policy', 'cross-origin');
    c.header('Content-Type', 'application/zip');
    c.header('Content-Disposition', `attachment; filename="${exportFileName}"`);
    const range = readRange(c.req.header('Range'), file.size);
    if (range === 'unsatisfiable') {
      c.header('Content-Range', `bytes */${file.size}`);
      return c.body(null, 416);
    }
    for (const [name, value] of Object.entries(rangeHeaders(range, file.size))) {
      c.header(name, value);
    }
    return c.body(
      toStream(file.read(range ?? { start: 0, end: file.size - 1 })),
      range ? 206 : 200,
    );
  });
}

/** Reads a piece when the client has taken the one before. */
function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) {
        controller.close();
      } else {
        controller.enqueue(new Uint8Array(value));
      }
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}
