/** Where pictures are that are saved by the call that makes them. */
import { getSession } from '#lib/session';

type Answered = { readonly id?: string | undefined; readonly is_saved?: unknown };

/** For a member the server keeps them under this id, unless it says otherwise; a guest's it soon forgets. */
export function whereKept({ id, is_saved }: Answered): { readonly remoteId?: string } {
  const isKept = getSession().status === 'member' && is_saved !== false;
  return id !== undefined && isKept ? { remoteId: id } : {};
}
