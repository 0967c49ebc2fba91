/** The way from a chat's settings to its history. */
import { History } from 'lucide-react';

import { dashboardPaths } from '#lib/paths';
import { ButtonLink } from '#ui/button';

type HistoryLinkProps = { readonly chatId: string; readonly text: string };

export function HistoryLink({ chatId, text }: HistoryLinkProps) {
  return (
    <ButtonLink
      icon={<History aria-hidden size={18} />}
      to={`${dashboardPaths.chat(chatId)}&view=history`}
    >
      {text}
    </ButtonLink>
  );
}
