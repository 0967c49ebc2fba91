/** The user that a session belongs to. */
export type Person = { readonly telegramId: number; readonly sessionId: string };
