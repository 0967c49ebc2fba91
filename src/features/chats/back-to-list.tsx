/** The way back from a chat's own steps. */
import { ArrowLeft } from 'lucide-react';
import { useNavigate } from 'react-router-dom';

import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';

import { chatTexts } from './texts.ts';

import styles from './chats.module.css';

export function BackToList() {
  const navigate = useNavigate();
  return (
    <Button
      kind="quiet"
      className={styles.back}
      icon={<ArrowLeft aria-hidden size={18} />}
      onClick={() => void navigate(dashboardPaths.list)}
    >
      {chatTexts.backToList}
    </Button>
  );
}
