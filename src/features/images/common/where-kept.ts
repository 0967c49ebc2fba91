/** Where pictures are that are saved by the call that makes them. */
import { getSession } from '#lib/session';

/** For a member the server keeps them under this id; a guest's it soon forgets. */
export function whereKept(remoteId: string | undefined): { readonly remoteId?: string } {
  return remoteId !== undefined && getSession().status === 'member' ? { remoteId } : {};
}
