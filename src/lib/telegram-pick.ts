/** Telegram's own list of groups, from which a person shares one with the bot (Bot API 9.6). */
import { type PickedChat } from './platform-types.ts';
import { type Bridge, readField } from './telegram-bridge.ts';

const firstVersion = '9.6';
/** People look for the right group, or make one first. */
const pickTimeoutMs = 10 * 60_000;

/** Whether the client has the list. */
export function canPickChat({ version }: Bridge): boolean {
  return version.localeCompare(firstVersion, 'en', { numeric: true }) >= 0;
}

/** Opens the list that the bot has prepared under this id, and waits for the person's choice. */
export function pickChat(bridge: Bridge, requestId: string): Promise<PickedChat> {
  return new Promise((resolve) => {
    const settle = (picked: PickedChat) => {
      clearTimeout(timer);
      stops.forEach((stop) => stop());
      resolve(picked);
    };
    const isOurs = (data: unknown) => String(readField(data, 'req_id')) === requestId;
    const stops = [
      bridge.hear('requested_chat_sent', (data) => isOurs(data) && settle('sent')),
      bridge.hear('requested_chat_failed', (data) => isOurs(data) && settle(readFailure(data))),
    ];
    const timer = setTimeout(settle, pickTimeoutMs, 'declined');
    if (!bridge.tellRaw('web_app_request_chat', { req_id: requestId })) {
      settle('failed');
    }
  });
}

/** A client that names no error tells that the list was closed. */
function readFailure(data: unknown): PickedChat {
  const error = readField(data, 'error');
  return error === undefined || error === null || error === 'USER_DECLINED' ? 'declined' : 'failed';
}
