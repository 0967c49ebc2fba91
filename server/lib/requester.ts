/** Who a request comes from. */

/** The user that the session of a request belongs to. */
export type SessionUser = { readonly telegramId: number; readonly sessionId: string };

/** A user, or a visitor without a Telegram user ID, who is known by the network address alone. */
export type Requester = { readonly telegramId: number | undefined; readonly address: string };
