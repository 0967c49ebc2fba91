/** What the hub does beside being shown: takes up the records, and finishes what earlier pages began. */
import { useEffect } from 'react';

import { onSessionChange } from '#lib/session';

import { finishDeletions, hurryDeletions } from './deletion.ts';
import { resumeGenerations } from './generations.ts';
import { removeOrphans } from './pictures.ts';
import { type ProviderAdapter } from './provider-adapter.ts';
import { followRecords, loadRecords } from './records-store.ts';
import { type GenerationRecord } from './records.ts';

/** Called once by the hub, with the same function each time: what knows a record's provider. */
export function useImageWork(
  getAdapter: (record: GenerationRecord) => ProviderAdapter | undefined,
): void {
  useEffect(() => {
    loadRecords();
    resumeGenerations(getAdapter);
    finishDeletions(getAdapter);
    void removeOrphans();
    const stopFollowing = followRecords();
    // Logging out takes the records from the device; they must not stay to be seen either.
    const stopListening = onSessionChange((now, before) => {
      if (before.status === 'member' && now.status !== 'member') {
        loadRecords();
      }
      if (now.status === 'member') {
        finishDeletions(getAdapter);
      }
    });
    window.addEventListener('pagehide', hurryDeletions);
    return () => {
      stopFollowing();
      stopListening();
      window.removeEventListener('pagehide', hurryDeletions);
    };
  }, [getAdapter]);
}
